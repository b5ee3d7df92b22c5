import { redacted } from '../api/redact.ts'

/** A request that the app sent, as input for a code snippet that repeats it from a terminal or a bot. */
export interface SnippetRequest {
  readonly method: string
  /** The service's `{host_url}`, without a trailing slash. */
  readonly hostUrl: string
  /** Path and query of the request, encoded. */
  readonly target: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly credential: 'none' | 'session' | 'key'
  /** The request's body as text; null: no body. */
  readonly body: string | null
}

/** The parts of a snippet that are the same in every programming language. */
export interface SnippetParts {
  readonly method: string
  /** How to build the URL. base: `path` is relative to the environment variable `SVC_BASE_URL`. host: `path` is a whole URL. */
  readonly root: 'base' | 'host'
  readonly path: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** The header with the credential. Its value is `before`, followed by the value of the environment variable `variable`. */
  readonly secret: { readonly name: string; readonly before: string; readonly variable: string } | null
  readonly body: string | null
  /** Warnings to write above the code, one line each. */
  readonly notes: readonly string[]
}

/** The path of the versioned API. The `SVC_BASE_URL` that `svc-desk run` passes to a bot contains this path (Versioning 1). */
const basePath = '/api/dex/v1'

/** Request headers to keep in a snippet. Other headers are left out, such as the request id and the user agent, because each program has its own. */
const kept: ReadonlyMap<string, string> = new Map([
  ['accept', 'Accept'],
  ['content-type', 'Content-Type'],
  ['idempotency-key', 'Idempotency-Key'],
])

export function snippetParts({ method, hostUrl, target, headers, credential, body }: SnippetRequest): SnippetParts {
  const based = credential === 'key' && target.startsWith(`${basePath}/`)
  return {
    method,
    root: based ? 'base' : 'host',
    path: based ? target.slice(basePath.length) : `${hostUrl}${target}`,
    headers: headers.flatMap(({ name, value }) => {
      const known = kept.get(name.toLowerCase())
      return known === undefined ? [] : [{ name: known, value }]
    }),
    secret:
      credential === 'key'
        ? { name: 'X-Svc-API-Key', before: '', variable: 'SVC_API_KEY' }
        : credential === 'session'
          ? { name: 'Authorization', before: 'Bearer ', variable: 'SVC_SESSION' }
          : null,
    // `toWellFormed` replaces lone surrogates, which UTF-8 cannot encode.
    body: body?.toWellFormed() ?? null,
    notes: [
      ...(method === 'GET' ? [] : ['Not a read: running this asks for the same once more.']),
      ...(credential === 'session' ? ['It needs the bearer of a sign-in in SVC_SESSION. Svc Desk gives its own to nobody.'] : []),
      ...(`${target}${body ?? ''}`.includes(redacted) ? [`Put your own in place of ${redacted}: what stood there is not kept.`] : []),
    ],
  }
}

/** Invisible characters, and characters that a terminal would interpret. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u

export const hasUnseen = (text: string): boolean => unseen.test(text)

/** Puts text in single quotes, and escapes quotes and backslashes in it. `code` returns the escape for an invisible character. */
export const quoted = (text: string, code: (character: string) => string): string =>
  `'${[...text].map((character) => (character === "'" || character === '\\' ? `\\${character}` : unseen.test(character) ? code(character) : character)).join('')}'`

/** Quotes any text as one word for bash. Invisible characters are written as byte escapes. */
const bashWord = (text: string): string => (hasUnseen(text) ? `$${quoted(text, bytes)}` : `'${text.replaceAll("'", `'\\''`)}'`)

const bytes = (character: string): string => [...new TextEncoder().encode(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** Returns a bash command that repeats the request with curl. It reads the credential from `$SVC_API_KEY` or `$SVC_SESSION`. */
export function asCurl(request: SnippetRequest): string {
  const { method, root, path, headers, secret, body, notes } = snippetParts(request)
  const url = root === 'base' ? `"$SVC_BASE_URL"${bashWord(path)}` : bashWord(path)
  const lines = [
    `curl --globoff --path-as-is --request ${method} ${url}`,
    ...headers.map(({ name, value }) => `--header ${bashWord(`${name}: ${value}`)}`),
    ...(secret === null ? [] : [`--header "${secret.name}: ${secret.before}$${secret.variable}"`]),
    ...(body === null ? [] : [`--data-raw ${bashWord(body)}`]),
  ]
  return [...notes.map((note) => `# ${note}`), lines.join(' \\\n  ')].join('\n')
}

const text = (value: string): string => quoted(value, code)

function code(character: string): string {
  const point = character.codePointAt(0) ?? 0
  const hex = point.toString(16)
  return point > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`
}

/** Returns a Python 3 program that repeats the request. It needs no further packages, and reads the credential from the environment. */
export function asPython(request: SnippetRequest): string {
  const { method, root, path, headers, secret, body, notes } = snippetParts(request)
  return [
    ...notes.map((note) => `# ${note}`),
    'import os',
    'import urllib.error',
    'import urllib.request',
    '',
    '',
    '# A redirect could take what is sent to another host.',
    'class NoRedirects(urllib.request.HTTPRedirectHandler):',
    '    def redirect_request(self, *args):',
    '        return None',
    '',
    '',
    'request = urllib.request.Request(',
    `    ${root === 'base' ? 'os.environ["SVC_BASE_URL"] + ' : ''}${text(path)},`,
    `    method='${method}',`,
    '    headers={',
    ...headers.map(({ name, value }) => `        '${name}': ${text(value)},`),
    ...(secret === null ? [] : [`        '${secret.name}': ${secret.before === '' ? '' : `'${secret.before}' + `}os.environ["${secret.variable}"],`]),
    '    },',
    ...(body === null ? [] : [`    data=${text(body)}.encode(),`]),
    ')',
    'try:',
    '    with urllib.request.build_opener(NoRedirects).open(request) as answer:',
    '        print(answer.status, answer.read().decode())',
    'except urllib.error.HTTPError as error:',
    '    print(error.code, error.read().decode())',
    '',
  ].join('\n')
}

const asTypescriptText = (value: string): string => quoted(value, asTypescriptCode)

const asTypescriptCode = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** Returns a Node module that repeats the request. It reads the credential from the environment. */
export function asTypeScript(request: SnippetRequest): string {
  const { method, root, path, headers, secret, body, notes } = snippetParts(request)
  return [
    ...notes.map((note) => `// ${note}`),
    `const answer = await fetch(${root === 'base' ? 'process.env.SVC_BASE_URL + ' : ''}${asTypescriptText(path)}, {`,
    `  method: '${method}',`,
    '  headers: {',
    ...headers.map(({ name, value }) => `    '${name}': ${asTypescriptText(value)},`),
    ...(secret === null
      ? []
      : [`    '${secret.name}': ${secret.before === '' ? `process.env.${secret.variable} ?? ''` : `\`${secret.before}\${process.env.${secret.variable}}\``},`]),
    '  },',
    ...(body === null ? [] : [`  body: ${asTypescriptText(body)},`]),
    "  redirect: 'manual',",
    '})',
    'console.log(answer.status, await answer.text())',
    '',
  ].join('\n')
}

/** Quotes a word for a POSIX shell. Leaves a safe word unchanged, and puts any other word in single quotes. */
export const shellWord = (word: string): string => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

interface RunCommand {
  readonly profile: string | null
  /** The key (by label) or webhook (by URL) whose secret the command receives. */
  readonly of: { readonly key: string } | { readonly webhook: string }
  readonly words: readonly string[]
}

/** Returns the `svc-desk run` command line that passes a secret to the user's command, ready to paste. It does not contain the secret. */
export const runCommand = ({ profile, of, words }: RunCommand): string =>
  [
    'svc-desk',
    'run',
    ...(profile === null ? [] : option('profile', profile)),
    ...('key' in of ? option('key', of.key) : option('webhook', of.webhook)),
    '--',
    ...words,
  ]
    .map(shellWord)
    .join(' ')

/** Formats a command-line option. The value `--` must be attached with `=`. As a separate word, it would mark the end of the options. */
const option = (name: string, value: string): readonly string[] => (value === '--' ? [`--${name}=${value}`] : [`--${name}`, value])
