import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { mergeEnv } from '../../electron/keys/delivery/env-file-text.ts'
import { largestEnvBytes } from '../../electron/keys/delivery/secret-handlers.ts'
import { findKeys } from '../../electron/keys/imported/key-text.ts'
import { createDetector } from '../../electron/keys/leaks/detector.ts'
import { packedObjects } from '../../electron/keys/leaks/files/git-pack.ts'
import { isIgnored, parseIgnore } from '../../electron/keys/leaks/files/glob.ts'
import { trackedIn } from '../../electron/keys/leaks/files/work-tree.ts'
import { createFingerprints } from '../../electron/keys/leaks/scan-job.ts'
import { createSseParser, SseOverflow } from '../../electron/service/stream/sse-parser.ts'
import { retryAfterMs } from '../../electron/service/transport/retry.ts'
import { readPastedText } from '../../electron/webhooks/subscriptions/perform-pasted.ts'
import { verifyDelivery } from '../../electron/webhooks/verifier/verify.ts'
import { readErrorBody } from '../../shared/api/error-body.ts'
import { parseHostUrl } from '../../shared/api/host-url.ts'
import { redactBody, redactText } from '../../shared/api/redact.ts'
import { answerFields } from '../../shared/field-map/answer-fields.ts'
import { mapLimits } from '../../shared/field-map/field-map-entries.ts'
import { readFieldMapFile } from '../../shared/field-map/read-file.ts'
import { foreign } from '../../shared/foreign/foreign.ts'
import { parseJson, readJson } from '../../shared/foreign/parse-json.ts'
import { parseIpAddress } from '../../shared/net/ip-address.ts'
import { checkChallenge } from '../../shared/signing/challenge/challenge.ts'
import { parseTypedData } from '../../shared/signing/message/typed-data.ts'
import { visibleText } from '../../shared/signing/wording.ts'
import { typedDecimal } from '../../shared/ticket/typed-number.ts'
import { longestPasted } from '../../shared/webhooks/pasted.ts'
import { readCallbackUrl } from '../../shared/webhooks/public-address.ts'
import { call, testClient, write } from '../support/api/client.ts'
import { startService } from '../support/api/service.ts'
import type { Grammar } from './fuzz-inputs.ts'

export interface Target extends Grammar {
  readonly name: string
  /**
   * Maximum time for one input, in milliseconds on an idle computer. Parsers in the main process get 50 (more for whole responses of 8 MiB). Parsers
   * in the parsing process get half of that process’s time limit.
   */
  readonly mostMs: number
  /** Reads the input as the product does. An exception counts as a fault. */
  run(text: string): unknown
  close?(): unknown
}

const main = { mostMs: 50 }
const apart = { mostMs: 5_000 }
const MiB = 1_048_576
const key = 'SVC9b1f6a0c3e7d52884af0c6b1e93d7250ce81fa4467b09d3e'
const wallet = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const rows = JSON.stringify({ orders: [{ order_id: 'ord_7', price: '96000.5', size: 0.25, side: 'long', created_at: 1_795_394_810 }], next: null })
const words = [
  '"',
  ',',
  ':',
  '[',
  '{',
  '}',
  ']',
  '\\u0022',
  '"a":',
  '{"a":1},',
  '1,',
  '12345678901234567890,',
  '0.12345678901234567,',
  '-',
  'e+',
  ' ',
  '=',
  'SVC-',
  `${key},`,
  'svcds1.',
] as const
const json: Pick<Grammar, 'seeds' | 'fragments'> = {
  seeds: [rows, '{"error":{"code":"SCOPE_MISSING","message":"no"},"request_id":"r1"}', `{"key":{"key_id":"k1"},"api_key":"${key}"}`],
  fragments: words,
}
const typedData = JSON.stringify({
  domain: { name: 'Svc', version: '1', chainId: 8453, verifyingContract: wallet },
  primaryType: 'Order',
  types: {
    Order: [
      { name: 'trader', type: 'address' },
      { name: 'legs', type: 'Leg[]' },
    ],
    Leg: [{ name: 'size', type: 'uint256' }],
  },
  message: { trader: wallet, legs: [{ size: '1' }] },
})
const challenge = `svc.example wants you to sign in with your Ethereum account:\n${wallet}\n\nURI: https://svc.example\nChain ID: 8453\nNonce: n0nce12345678901\nExpiration Time: 2026-11-25T00:00:00Z`
const delivered =
  'X-Svc-Event: order.filled\nX-Svc-Event-ID: e1\nX-Svc-Timestamp: 1\nX-Svc-Signature: v1=00\n\n{"id":"e1","type":"order.filled","created_at":1,"data":{}}'
const har = JSON.stringify({
  log: { entries: [{ request: { method: 'POST', url: 'https://a', headers: [{ name: 'A', value: 'b' }], postData: { text: rows } } }] },
})
const bytesOf = (text: string): Buffer => Buffer.from(text, 'latin1')

const client = async (): Promise<Target> => {
  const service = await startService()
  let answer = ''
  service.answer = (_request, response) => {
    response.writeHead(answer.length % 3 === 0 ? 400 : 200, { 'content-type': 'application/json' })
    response.end(answer)
  }
  const { api } = testClient(service.hostUrl)
  return {
    name: 'client',
    ...json,
    most: MiB,
    // The limit is higher, because this parser also matches fields by name and shape. The measured time includes undici (the HTTP client) and a server
    // in the same process.
    mostMs: 1_000,
    run: async (text) => {
      answer = text
      await call(api, write)
    },
    close: async () => {
      await api.close()
      await service.close()
    },
  }
}

/** A git pack with two blobs and a delta of the first one, and the offset of each entry. */
function packOfThree(): { readonly bytes: Buffer; readonly offsets: readonly number[] } {
  const blob = (text: string) => Buffer.concat([Buffer.from([0x30 + text.length]), deflateSync(text)])
  const [first, other] = [blob('hello'), blob('world')]
  // A git delta from five bytes to five bytes. Its only instruction copies the whole base.
  const delta = Buffer.from([5, 5, 0x90, 5])
  const changed = Buffer.concat([Buffer.from([0x60 + delta.length, first.length + other.length]), deflateSync(delta)])
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\x03', 'latin1')
  const offsets = [head.length, head.length + first.length, head.length + first.length + other.length]
  return { bytes: Buffer.concat([head, first, other, changed, Buffer.alloc(20)]), offsets }
}

const pack = (): Target => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-fuzz-'))
  const path = join(folder, 'pack-0.pack')
  const { bytes, offsets } = packOfThree()
  const index = Buffer.alloc(8 + 1_024 + 3 * 28 + 40)
  index.write('\xfftOc\0\0\0\x02', 'latin1')
  for (let entry = 0; entry < 256; entry += 1) index.writeUInt32BE(3, 8 + 4 * entry)
  for (const [entry, offset] of offsets.entries()) index.writeUInt32BE(offset, 8 + 1_024 + 3 * 24 + 4 * entry)
  writeFileSync(path.replace(/pack$/, 'idx'), index)
  return {
    name: 'git pack',
    seeds: [bytes.toString('latin1')],
    fragments: [
      'PACK\0\0\0\x02',
      '\x60\0',
      '\x6f\x01',
      'x\x9c',
      deflateSync(Buffer.alloc(65_536)).toString('latin1'),
      '\xff\xff\xff',
      '\x91\x90\x80',
      '\0\0\0\0',
    ],
    most: MiB,
    ...apart,
    run: async (text) => {
      writeFileSync(path, bytesOf(text))
      const read = async () => {
        for await (const _object of packedObjects(path, 8 * MiB, { left: 64 * MiB }));
      }
      // Ignores exceptions, because the product handles unreadable packs in the code that calls `packedObjects`.
      await read().catch(() => undefined)
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const fingerprints = createFingerprints()
const ignored = { top: ['a', 'b', 'c.env'], layers: (text: string) => [{ depth: 0, set: parseIgnore(text, true) }] }

/** All parsers of untrusted bytes, by name. Each function creates a new parser. */
export const targets: Readonly<Record<string, () => Target | Promise<Target>>> = {
  answer: () => ({ name: 'answer', ...json, most: 8 * MiB, mostMs: 120, run: (text) => readJson(foreign(text)) }),
  'error body': () => ({ name: 'error body', ...json, most: 8 * MiB, mostMs: 120, run: (text) => readErrorBody(foreign(text)) }),
  client,
  redaction: () => ({ name: 'redaction', ...json, most: MiB, ...main, run: (text) => [redactText(text), redactBody(text)] }),
  'typed data': () => ({
    name: 'typed data',
    seeds: [typedData],
    fragments: [...words, '"types":{', '{"name":"a","type":"uint256"},', '"Leg[][]"', '[2]', '"bytes32"'],
    most: 128 * 1_024,
    ...main,
    run: (text) => parseTypedData(parseJson(text)),
  }),
  challenge: () => ({
    name: 'challenge',
    seeds: [challenge],
    fragments: ['0xab', 'a.', '://', wallet, 'https://', '\n', '2026-11-25T00:00:00Z', 'Nonce: ', '1'],
    most: MiB,
    ...main,
    run: (message) =>
      checkChallenge({
        message,
        answer: { wallet, nonce: 'n0nce12345678901', expiresAtMs: 1_795_394_810_000, network: null, chainId: 8453 },
        ...{ wallet, host: 'svc.example', nowMs: 1_795_394_000_000, knownFormats: [] },
      }),
  }),
  delivery: () => ({
    name: 'delivery',
    ...json,
    most: MiB,
    ...main,
    run: (text) =>
      verifyDelivery(
        {
          headers: { 'x-svc-event': text.slice(0, 64), 'x-svc-event-id': 'e', 'x-svc-timestamp': '1', 'x-svc-signature': text.slice(0, 80) },
          body: bytesOf(text),
        },
        { secret: 'svc_whsec_0123456789', nowMs: 1_000 },
      ),
  }),
  stream: () => ({
    name: 'stream',
    seeds: ['id: 1\nevent: order.filled\ndata: {"a":1}\n\n: beat\n\n'],
    fragments: ['data:', 'data: x\n', '\n', '\r', '\r\n', ':\n', 'id: 1\n', 'event: ', '\n\n'],
    most: MiB,
    ...main,
    run: (text) => {
      const parser = createSseParser()
      const bytes = Buffer.from(text)
      try {
        for (let at = 0; at < bytes.length; at += 65_536) parser.push(bytes.subarray(at, at + 65_536))
      } catch (error) {
        // Allowed: the parser throws this error on purpose to report an event that is too large.
        if (!(error instanceof SseOverflow)) throw error
      }
    },
  }),
  'env file': () => ({
    name: 'env file',
    seeds: ['# bot\nA=1\nexport SVC_API_KEY="old"\nB=\'x\ny\'\n'],
    fragments: ['A=1\n', 'SVC_API_KEY=', 'export ', '"', "'", '#', '\r\n', '\\', '=', ' '],
    most: largestEnvBytes,
    ...main,
    run: (text) => mergeEnv(text, { SVC_API_KEY: key, SVC_BASE_URL: 'https://svc.example' }),
  }),
  'short texts': () => ({
    name: 'short texts',
    seeds: ['https://svc.example:8443/a?b=c', '1,500.00', '203.0.113.7/32', '2001:db8::1.2.3.4', '120', 'Wed, 25 Nov 2026 00:00:00 GMT', '@bot\u202e'],
    fragments: ['.', ':', '::', '/', '0', '1,', '%', '@', 'a', ' ', '-', ',000', '0x', 'xn--'],
    most: 64 * 1_024,
    ...main,
    run: (text) => [
      parseHostUrl(text),
      readCallbackUrl(text, { practice: false }),
      parseIpAddress(text),
      typedDecimal(text),
      retryAfterMs(text, 0),
      visibleText(text),
    ],
  }),
  pasted: () => ({
    name: 'pasted',
    seeds: [delivered, har, `curl https://a -H 'A: b' -H "X-Svc-Event: c" --data-raw $'{"id":"\\u0061"}'`],
    fragments: [...words, "$'", '\\x41', '-H ', '--data ', '\\\n', 'A: b\n', '\n\n', '{"request":{"method":"POST","postData":{"text":"'],
    most: longestPasted,
    ...apart,
    run: (text) => readPastedText({ text, index: 0 }),
  }),
  'key text': () => ({
    name: 'key text',
    seeds: [`SVC_API_KEY=${key}\n`],
    fragments: ['SVC', `${key} `, 'A=', 'A_', '"', '\n', '.', '-', '='],
    most: 64 * 1_024,
    ...apart,
    run: findKeys,
  }),
  'map file': () => ({
    name: 'map file',
    seeds: ['{"version":1,"payloads":{"bind executor":{"executor":"signer"}},"answers":{"order":{"price":{"path":"a.b","unit":"usdc"}}}}'],
    fragments: words,
    most: mapLimits.fileBytes,
    ...apart,
    run: (text) => readFieldMapFile(text, answerFields),
  }),
  'ignore list': () => ({
    name: 'ignore list',
    seeds: ['*.env\n!keep.env\n/a/**/b\n[a-z]?\\*\n'],
    fragments: ['*', '**/', '?', '[a-', '[!', ']', '\\', '/', '!', '\n', '*a', '#', ' '],
    most: MiB,
    ...apart,
    run: (text) => isIgnored(ignored.layers(text), ignored.top, false),
  }),
  'git index': () => ({
    name: 'git index',
    seeds: [
      `DIRC\0\0\0\x02\0\0\0\x01${'\0'.repeat(60)}\0\x05a.env\0\0\0\0\0${'\x01'.repeat(20)}`,
      `DIRC\0\0\0\x04\0\0\0\x02${'\0'.repeat(60)}\0\x05\0a.env\0${'\0'.repeat(60)}\0\x05\x02nv\0${'\x01'.repeat(20)}`,
    ],
    fragments: ['DIRC', '\0\0\0\x04', '\xff\xff\xff\xff', 'a/', '\0', 'TREE', 'link\0\0\0\0', 'sdir'],
    most: MiB,
    ...apart,
    run: (text) => trackedIn(bytesOf(text), { hashBytes: 20, fold: true }),
  }),
  'git pack': pack,
  detector: () => ({
    name: 'detector',
    seeds: [`A=${key}\n${Buffer.from(key).toString('base64')}\n${Buffer.from(key).toString('hex')}`],
    fragments: ['SVC', 'U1ZD', '535643', '%53%56%43', 'svc_whsec_', 'svcds1.', 'A', '\n', '=', key, '\\n'],
    most: MiB,
    ...apart,
    run: (text) => {
      const detector = createDetector(fingerprints, () => undefined)
      for (let at = 0; at < text.length; at += 65_536) detector.push(text.slice(at, at + 65_536))
      detector.end()
    },
  }),
}
