import { redacted } from '../api/redact.ts'

/** A request as the service took it, for people who want to send it again from a terminal or a bot. */
export interface SnippetRequest {
  readonly method: string
  /** `{host_url}`, without a slash at its end. */
  readonly hostUrl: string
  /** Path and query, encoded. */
  readonly target: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly credential: 'none' | 'session' | 'key'
  /** null: it had none. */
  readonly body: string | null
}

/** What every language writes in its own way. */
export interface SnippetParts {
  readonly method: string
  /** base: `path` stands behind `SVC_BASE_URL`. host: `path` is the whole URL. */
  readonly root: 'base' | 'host'
  readonly path: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  /** The header that carries the credential: its value is `before` and the environment's `variable`. */
  readonly secret: { readonly name: string; readonly before: string; readonly variable: string } | null
  readonly body: string | null
  /** What the reader must know first, one line each. */
  readonly notes: readonly string[]
}

/** The versioned root, which `svc-desk run` gives a bot as `SVC_BASE_URL` (Versioning 1). */
const basePath = '/api/dex/v1'

/** Headers that belong to the request. An id of its own, and what names the program, each sender makes anew. */
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
    // Nothing else could be written as UTF-8.
    body: body?.toWellFormed() ?? null,
    notes: [
      ...(method === 'GET' ? [] : ['Not a read: running this asks for the same once more.']),
      ...(credential === 'session' ? ['It needs the bearer of a sign-in in SVC_SESSION. Svc Desk gives its own to nobody.'] : []),
      ...(`${target}${body ?? ''}`.includes(redacted) ? [`Put your own in place of ${redacted}: what stood there is not kept.`] : []),
    ],
  }
}

/** Characters that cannot be seen, or that a terminal would act on. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u

export const hasUnseen = (text: string): boolean => unseen.test(text)

/** The text in single quotes, with backslashes for those and for themselves; `code` writes a character that cannot be seen. */
export const quoted = (text: string, code: (character: string) => string): string =>
  `'${[...text].map((character) => (character === "'" || character === '\\' ? `\\${character}` : unseen.test(character) ? code(character) : character)).join('')}'`
