import { hasUnseen, quoted, type SnippetRequest, snippetParts } from './snippet.ts'

/** One word for bash, whatever is in it. What cannot be seen is written as its bytes. */
const bashWord = (text: string): string => (hasUnseen(text) ? `$${quoted(text, bytes)}` : `'${text.replaceAll("'", `'\\''`)}'`)

const bytes = (character: string): string => [...new TextEncoder().encode(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

/** The request as a command for bash. The credential is read from the environment: `$SVC_API_KEY` or `$SVC_SESSION`. */
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
