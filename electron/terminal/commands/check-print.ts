import type { CheckDetail, CheckedField, CheckOutcome, TopCandidate } from '../../../shared/ipc/host/service-check.ts'
import { isOpen } from '../../../shared/service-check/open-field.ts'
import { plain } from '../channel/print.ts'

const words: Readonly<Record<CheckOutcome, string>> = {
  waiting: 'waiting',
  read: 'read',
  partly: 'partly',
  not: 'not',
  empty: 'empty',
  nothing_yet: 'nothing yet',
  impossible: 'nothing yet',
  no_scope: 'no scope',
  signed_out: 'no sign-in',
  failed: 'failed',
  refused_as_expected: 'refused',
  acted: 'ACTED',
}
const width = Math.max(...Object.values(words).map(({ length }) => length))
const shownUnread = 8

/** One step: how it ended, with what is open beneath it. */
export function stepText({ row, resources, signing }: CheckDetail): string {
  const { kind, outcome, route, action, read, fields, scope, failure } = row
  const name = kind === 'read' ? route : kind === 'preview' ? `${route} (${action})` : `${kind === 'prepare' ? 'prepare' : 'dry run of'} ${action}`
  const more = [
    ...(fields === 0 ? [] : [`${read} of ${fields}`]),
    ...(scope === null ? [] : [scope]),
    ...(failure === null || outcome === 'refused_as_expected'
      ? []
      : [failure.kind === 'refused' ? `${failure.status} ${failure.code ?? ''}`.trim() : failure.kind]),
    ...(outcome === 'acted' ? ['the service answered with a command or a hash; the check stopped'] : []),
    ...(signing?.verdict === 'block' ? ['would never be signed'] : []),
  ]
  const lines = resources.flatMap(({ resource, records, fields: all, unread }) => [
    ...(records === 0 ? [] : all.filter(isOpen)).map((field) => fieldText(resource, field)),
    ...(unread.length === 0
      ? []
      : [
          `${resource} unknown: ${unread
            .slice(0, shownUnread)
            .map(({ path }) => path)
            .join(', ')}${unread.length > shownUnread ? `, ${unread.length - shownUnread} more` : ''}`,
        ]),
  ])
  return [
    `${words[outcome].padEnd(width)}  ${name}${more.length === 0 ? '' : `  ${more.join(', ')}`}`,
    ...lines.map((line) => `${' '.repeat(width + 4)}${line}`),
  ]
    .map((line) => `${plain(line)}\n`)
    .join('')
}

function fieldText(resource: string, { field, state, path, reason, suggestions: [top] }: CheckedField): string {
  const what = state === 'missing' ? 'missing' : reason === 'unit' || reason === 'scale' ? `at ${path}, its ${reason} is unknown` : `at ${path}, not readable`
  return `${resource}.${field} ${what}${top === undefined ? '' : `; ${top.path} (${top.preview})?`}`
}

export const acceptedText = (tops: readonly TopCandidate[]): string =>
  tops.length === 0
    ? '\nThere is no candidate to accept.\n'
    : `\nAccepted, undone in Settings → Field map:\n${tops.map(({ resource, field, path, preview }) => `  ${plain(`${resource}.${field} at ${path} (${preview})`)}\n`).join('')}\n`
