import type { FormIssue } from '../ipc/form-issue.ts'
import { fail, ok, type Result } from '../result.ts'
import { readBashWords } from './bash-words.ts'
import { type BodyReading, longestPasted, type Pasted, type PastedBody, type PastedDelivery } from './pasted.ts'

/**
 * Reads a webhook delivery that the user pasted: headers and body, a curl command for bash, or a HAR file. A failure says which part is unreadable.
 */
export function readPasted(text: string): Result<Pasted, FormIssue> {
  if (text.trim() === '') return fail(['nothingPasted'])
  if (text.length > longestPasted) return fail(['pasteTooLarge'])
  const har = /^\s*\{/.test(text) ? readPastedHar(text) : null
  if (har !== null) return har.ok ? ok({ form: 'har', deliveries: har.value }) : har
  const isCurl = /^\s*(?:#[^\n]*\n\s*)*(?:\$ )?curl(?:\.exe)?[ \t\\^]/.test(text)
  const one = isCurl ? readPastedCurl(text.replace(/^\s*\$ /, '')) : readPastedHeaders(text)
  return one.ok ? ok({ form: isCurl ? 'curl' : 'headers', deliveries: [one.value] }) : one
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function bytesOf({ text, encoding }: Record<string, unknown>): Uint8Array | null {
  if (typeof text !== 'string') return null
  if (encoding !== 'base64') return new TextEncoder().encode(text)
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** Reads the request of one HAR entry; null if it is not a POST request, or has no body. */
function readEntry(entry: unknown): PastedDelivery | null {
  if (!isRecord(entry) || !isRecord(entry.request)) return null
  const { method, url, headers, postData } = entry.request
  if (typeof method !== 'string' || method.toUpperCase() !== 'POST' || !isRecord(postData)) return null
  const bytes = bytesOf(postData)
  if (bytes === null) return null
  const named = Array.isArray(headers) ? headers.filter(isRecord) : []
  return {
    title: `POST ${typeof url === 'string' ? url : ''}`.trim(),
    headers: named.flatMap(({ name, value }) => (typeof name === 'string' && typeof value === 'string' && !name.startsWith(':') ? [{ name, value }] : [])),
    bodies: [{ bytes, reading: 'pasted' }],
  }
}

/** Reads the POST requests of a HAR file, in order. A single entry is also accepted. null if the text is not a HAR file. */
function readPastedHar(text: string): Result<readonly PastedDelivery[], FormIssue> | null {
  let value: unknown
  try {
    // `trim` also removes a byte order mark.
    value = JSON.parse(text.trim())
  } catch {
    return /"entries"\s*:\s*\[/.test(text) ? fail(['harNotWhole']) : null
  }
  if (!isRecord(value)) return null
  const entries = isRecord(value.log) && Array.isArray(value.log.entries) ? value.log.entries : isRecord(value.request) ? [value] : null
  if (entries === null) return null
  const found = entries.flatMap((entry) => readEntry(entry) ?? [])
  return found.length === 0 ? fail(['harWithoutPost', entries.length]) : ok(found)
}

const requestLine = /^[A-Z]{3,10} \S+(?: HTTP\/[\d.]+)?$/
const header = /^(:?[!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*:[ \t]*(.*?)[ \t]*$/
const encoder = new TextEncoder()

/**
 * Returns what the original body may have been, most likely first, beginning with the pasted text itself. Copying may have added or removed a final
 * line break. A text field keeps only one kind of line break, so the original may have had the other kind.
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

/** Reads pasted headers, an empty line and the body. The request line before the headers may be missing. */
function readPastedHeaders(text: string): Result<PastedDelivery, FormIssue> {
  const begun = text.replace(/^\ufeff?(?:[ \t]*\r?\n)*/, '')
  const gap = /\r?\n[ \t]*\r?\n/.exec(begun)
  if (gap === null && !header.test(begun.split(/\r?\n/)[0] ?? '') && !requestLine.test(begun.split(/\r?\n/)[0] ?? ''))
    return fail([/^[{[]/.test(begun) ? 'bodyAlone' : 'pasteUnknown'])
  if (gap === null) return fail(['noEmptyLine'])
  const [first = '', ...others] = begun.slice(0, gap.index).split(/\r?\n/)
  const lines = requestLine.test(first) ? others : [first, ...others]
  const headers: { name: string; value: string }[] = []
  for (const [index, line] of lines.entries()) {
    const [, name, value = ''] = header.exec(line) ?? []
    if (name === undefined) return fail(['lineIsNoHeader', index + 1 + (lines === others ? 1 : 0), line.slice(0, 60)])
    // Skip the pseudo-headers of HTTP/2, because they only repeat the request line.
    if (!name.startsWith(':')) headers.push({ name, value })
  }
  return ok({ title: lines === others ? first : '', headers, bodies: readings(begun.slice(gap.index + gap[0].length)) })
}

/** curl options with a value that affect neither headers nor body. The option and its value are skipped. */
const taking = new Set(
  `-X --request -o --output -m --max-time --connect-timeout -b --cookie -c --cookie-jar -x --proxy -w --write-out --retry --retry-delay --cacert --capath
  -E --cert --key -u --user --resolve --connect-to -r --range -y -Y -C --continue-at --interface --limit-rate --tls-max --ciphers --noproxy -D --dump-header
  --unix-socket --retry-max-time --max-redirs`.split(/\s+/),
)
/** curl options without a value that affect neither headers nor body. The app skips them. */
const flags = new Set(
  `-s --silent -S --show-error -f --fail --fail-with-body --fail-early -L --location -k --insecure -i --include -v --verbose --compressed -0 --http1.0
  --http1.1 --http2 --http2-prior-knowledge --http3 -4 --ipv4 -6 --ipv6 -N --no-buffer --no-keepalive -# --progress-bar --no-progress-meter --path-as-is
  --tcp-nodelay --tcp-fastopen -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --ssl-reqd -g --globoff -O --remote-name -J --remote-header-name
  -R --remote-time -j --junk-session-cookies -q --disable --create-dirs --retry-connrefused --retry-all-errors --styled-output --no-alpn`.split(/\s+/),
)
const notRead = (name: string): Result<never, FormIssue> => fail(['curlOptionUnread', name])

/**
 * curl options with a value that affect the request, in short and long form, each with the part that it sets. `json` also adds headers. `unread`:
 * the command is refused, because it does not contain the exact content that curl would send.
 */
const names: Readonly<Record<string, 'header' | 'data' | 'raw' | 'json' | 'agent' | 'referer' | 'url' | 'unread'>> = {
  '-H': 'header',
  '--header': 'header',
  '-d': 'data',
  '--data': 'data',
  '--data-ascii': 'data',
  '--data-binary': 'data',
  '--data-raw': 'raw',
  '--json': 'json',
  '-A': 'agent',
  '--user-agent': 'agent',
  '-e': 'referer',
  '--referer': 'referer',
  '--url': 'url',
  '--data-urlencode': 'unread',
  '-F': 'unread',
  '--form': 'unread',
  '--form-string': 'unread',
  '-T': 'unread',
  '--upload-file': 'unread',
  '-K': 'unread',
  '--config': 'unread',
}

interface Option {
  /** The option in the spelling of the command, such as `-d` or `--data`; null if the word is the URL. */
  readonly name: string | null
  readonly value: Uint8Array
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Finds the value of each option: `-H x`, `-Hx`, or after combined flags as in `-sSd x`. */
function readOptions(words: readonly Uint8Array[]): Result<readonly Option[], FormIssue> {
  const options: Option[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? new Uint8Array()
    const text = decoder.decode(word)
    const value = (name: string): Result<Uint8Array, FormIssue> => {
      at += 1
      const next = words[at]
      return next === undefined ? fail(['curlOptionEmpty', name]) : ok(next)
    }
    if (!text.startsWith('-') || text === '-') options.push({ name: null, value: word })
    else if (text.startsWith('--')) {
      if (flags.has(text)) continue
      // Refuse unknown and abbreviated options. curl accepts abbreviations, but what they mean depends on its version.
      if (names[text] === undefined && !taking.has(text)) return notRead(text)
      const taken = value(text)
      if (!taken.ok) return taken
      if (names[text] !== undefined) options.push({ name: text, value: taken.value })
    } else {
      for (let letter = 1; letter < text.length; letter += 1) {
        const name = `-${text.charAt(letter)}`
        if (flags.has(name)) continue
        if (names[name] === undefined && !taking.has(name)) return notRead(name)
        // Flags are ASCII, so a character's index is also its byte index.
        const attached = word.subarray(letter + 1)
        const taken = attached.length > 0 ? ok(attached) : value(name)
        if (!taken.ok) return taken
        if (names[name] !== undefined) options.push({ name, value: taken.value })
        break
      }
    }
  }
  return ok(options)
}

function joined(parts: readonly { readonly bytes: Uint8Array; readonly json: boolean }[]): Uint8Array {
  const all: number[] = []
  for (const [index, { bytes, json }] of parts.entries()) {
    // curl joins several data options with `&`, as in a form, but joins --json values without a separator.
    if (index > 0 && !json) all.push(38)
    for (const byte of bytes) all.push(byte)
  }
  return Uint8Array.from(all)
}

function readPastedCurl(text: string): Result<PastedDelivery, FormIssue> {
  // Recognise a command for cmd on Windows, which quotes with `^`. A quoted body may contain `^` too, so only a `^` before the first quote or at the
  // end of a line counts.
  if (/^[^'"]*\^"/.test(text) || /^[^'\n]*\s\^\s*\r?\n/.test(text)) return fail(['curlOfWindows'])
  const words = readBashWords(text)
  if (!words.ok) return words
  const options = readOptions(words.value.slice(1))
  if (!options.ok) return options
  const headers: { name: string; value: string }[] = []
  const data: { bytes: Uint8Array; json: boolean }[] = []
  let url: string | null = null
  for (const { name, value } of options.value) {
    const said = decoder.decode(value)
    const kind = name === null ? 'url' : names[name]
    if (name === null || kind === 'url') url ??= said
    else if (kind === 'unread') return fail(['curlNotInCommand', name])
    else if (kind !== 'raw' && said.startsWith('@')) return fail(['curlNamesFile', name, said])
    else if (kind === 'agent') headers.push({ name: 'User-Agent', value: said })
    else if (kind === 'referer') headers.push({ name: 'Referer', value: said })
    else if (kind === 'header') {
      // In curl, "Name:" removes a header, and "Name;" sends it with an empty value.
      const [, header = '', sign, rest = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)[ \t]*(?:(:)(.*)|;[ \t]*)$/s.exec(said) ?? []
      if (header === '') return fail(['isNoHeader', said.slice(0, 40)])
      if (sign === undefined || rest.trim() !== '') headers.push({ name: header, value: rest.trim() })
    } else data.push({ bytes: value, json: kind === 'json' })
  }
  if (data.length === 0) return fail(['curlWithoutBody'])
  return ok({ title: `POST ${url ?? ''}`.trim(), headers, bodies: [{ bytes: joined(data), reading: 'pasted' }] })
}
