import { fail, ok, type Result } from '../result.ts'
import type { BodyReading, PastedBody, PastedDelivery } from './pasted.ts'

const requestLine = /^[A-Z]{3,10} \S+(?: HTTP\/[\d.]+)?$/
const header = /^(:?[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/
const encoder = new TextEncoder()

/**
 * What the body may have been, likeliest first: as it was pasted; without the line break that an editor or terminal puts at the end; with one that
 * was left out; with the line breaks of the other kind, since a text field keeps only one.
 */
function readings(body: string): readonly PastedBody[] {
  const bare = body.replace(/\r?\n$/, '')
  const others: readonly (readonly [BodyReading, string])[] = [
    ['pasted', body],
    ...(bare === body ? ([['with_break', `${body}\n`]] as const) : ([['without_break', bare]] as const)),
    ...(bare.includes('\n') ? ([['crlf', bare.replaceAll(/\r?\n/g, '\r\n')]] as const) : []),
    ...(bare.includes('\r\n') ? ([['lf', bare.replaceAll('\r\n', '\n')]] as const) : []),
  ]
  const seen = new Set<string>()
  return others.flatMap(([reading, text]) => {
    if (seen.has(text)) return []
    seen.add(text)
    return [{ reading, bytes: encoder.encode(text) }]
  })
}

/** Headers, an empty line and the body, with or without a request line before them. */
export function readPastedHeaders(text: string): Result<PastedDelivery, string> {
  const begun = text.replace(/^\ufeff?(?:[ \t]*\r?\n)*/, '')
  const gap = /\r?\n[ \t]*\r?\n/.exec(begun)
  if (gap === null && !header.test(begun.split(/\r?\n/)[0] ?? '') && !requestLine.test(begun.split(/\r?\n/)[0] ?? ''))
    return fail(
      /^[{[]/.test(begun)
        ? 'This is a body alone. The signature, its timestamp and the event stand in the headers: paste them above it, then an empty line.'
        : 'This is neither headers with a body, nor a curl command, nor a HAR.',
    )
  if (gap === null) return fail('There is no empty line: it divides the headers from the body.')
  const [first = '', ...others] = begun.slice(0, gap.index).split(/\r?\n/)
  const lines = requestLine.test(first) ? others : [first, ...others]
  const headers: { name: string; value: string }[] = []
  for (const [index, line] of lines.entries()) {
    const [, name, value = ''] = header.exec(line) ?? []
    if (name === undefined) return fail(`Line ${index + 1 + (lines === others ? 1 : 0)} is no header: “${line.slice(0, 60)}”.`)
    // Of HTTP/2: what the request line says.
    if (!name.startsWith(':')) headers.push({ name, value })
  }
  return ok({ title: lines === others ? first : 'Pasted headers and body', headers, bodies: readings(begun.slice(gap.index + gap[0].length)) })
}
