import { expect, test } from 'vitest'
import { answerFields } from '../../shared/field-map/answer-fields.ts'
import { type FileIssueCode, fileIssueCodes, mapLimits } from '../../shared/field-map/field-map-entries.ts'
import { readFieldMapFile } from '../../shared/field-map/read-file.ts'
import { mapIssueText } from './field-map-text.ts'

const map = (parts: object) => JSON.stringify({ version: 2, ...parts })
const payload = (of: string, names: object) => map({ payloads: { [of]: names } })
const answer = (of: string, fields: object) => map({ answers: { [of]: fields } })
const deep = `${'['.repeat(80)}${']'.repeat(80)}`
const many = Object.fromEntries(Array.from({ length: mapLimits.entries + 1 }, (_, index) => [`f${index}`, 'x']))

/** A sample file for each problem of a field map file, with the sentence that explains the problem. `null`: a file cannot cause this problem. */
const samples: Readonly<Record<FileIssueCode, readonly [file: string, sentence: string] | null>> = {
  unknown_request: [payload('withdraw_all', { to: 'x' }), 'withdraw_all, to belongs to no request whose field names you can change.'],
  documented_request: [
    payload('open_position', { leverage: 'lev' }),
    'open_position, leverage cannot be renamed: the service’s documentation shows this request.',
  ],
  unknown_resource: [answer('nothing', { a: 'b' }), 'nothing, a belongs to no response that this app reads.'],
  unknown_field: [answer('account', { a: 'b' }), 'account, a is not a field that this app knows here.'],
  documented_field: [answer('intent', { intentId: 'x' }), 'intent, intentId cannot be changed: the service’s documentation shows this field.'],
  guarded_field: [answer('meta', { capabilities: 'r' }), 'meta, capabilities cannot be changed: the app compares this field before you sign.'],
  too_long: [payload('cancel_order', { order_id: 'x'.repeat(99) }), 'cancel_order, order_id is too long: a name has at most 64 characters, a path 200.'],
  hidden_characters: [payload('cancel_order', { order_id: 'a\u202eb' }), 'cancel_order, order_id contains hidden characters.'],
  reserved_name: [payload('cancel_order', { order_id: 'constructor' }), 'cancel_order, order_id uses a name that JavaScript reserves.'],
  bad_name: [
    payload('cancel_order', { order_id: 'a b' }),
    'cancel_order, order_id needs a name that starts with a letter and has only letters, digits, hyphens and underscores.',
  ],
  bad_path: [answer('account', { equity: 'a..b' }), 'account, equity needs a path: names joined by dots, for example “prices.mark”.'],
  not_offered: null,
  taken: [payload('reduce', { size: 'position_id' }), 'reduce, size cannot be “position_id”: another field of this request has that name.'],
  documented_name: [
    payload('cancel', { order_id: 'idempotency_key' }),
    'cancel, order_id cannot be “idempotency_key”: the documentation gives that name to another field of this request.',
  ],
  other_unit: [payload('reduce', { size: 'size_usdc' }), 'reduce, size cannot be “size_usdc”: the name says a unit that the app does not send.'],
  bad_unit: [answer('account', { equity: { path: 'e', unit: 'doge' } }), 'account, equity cannot be in “doge”.'],
  no_unit: [answer('account', { wallet: { path: 'w', unit: 'usdc' } }), 'account, wallet has no unit.'],
  not_json: ['{"version": 2,', 'The file is not valid JSON from this line on.'],
  too_deep: [`{"version": 2, "answers": ${deep}}`, 'The file nests deeper than 64 levels.'],
  too_large: [map({ answers: {}, note: 'x'.repeat(mapLimits.fileBytes) }), 'The file is larger than 256 KB.'],
  not_a_map: ['[]', 'The file is not a field map: it has to be a JSON object.'],
  check_report: [
    JSON.stringify({ version: 1, startedAt: null, endedAt: null, steps: [] }),
    'This file is the report of a service check, not a field map. To export a field map, use Field map, below the report.',
  ],
  newer_version: [JSON.stringify({ version: 9, answers: {} }), 'A newer version of the app wrote this file (9): this version reads up to 2.'],
  bad_version: [JSON.stringify({ version: 'two', answers: {} }), 'The file names no version: field maps have "version": 2.'],
  forbidden_part: [map({ contracts: {} }), 'contracts is not allowed in a field map: signing formats, contracts, keys and addresses never come from a file.'],
  unknown_part: [map({ notes: {} }), 'notes is not a part of a field map.'],
  not_an_object: [map({ answers: { account: 1 } }), 'account has to be an object.'],
  not_text: [payload('cancel_order', { order_id: 1 }), 'cancel_order, order_id has to be text.'],
  twice: ['{"version": 2, "answers": {}, "answers": {}}', 'answers appears twice.'],
  too_many: [payload('cancel_order', many), 'The file has more than 2,000 entries.'],
}

test.each(fileIssueCodes)('the app has one plain sentence for each problem of a field-map file: %s', (code) => {
  const sample = samples[code]
  if (sample === null) return
  const [file, sentence] = sample
  const read = readFieldMapFile(file, answerFields)
  const issue = read.ok ? undefined : read.failure.find((one) => one.code === code)
  expect(read.ok ? [] : read.failure.map((one) => one.code)).toContain(code)
  expect(issue === undefined ? null : mapIssueText(issue)).toBe(sentence)
})
