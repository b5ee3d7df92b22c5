import type { Dialect } from './draw.ts'
import { spelled } from './forms.ts'
import { asJson, type Json, type JsonObject } from './json.ts'

/** A refusal by the exchange. `fields` are sent together with code and message; `fields.field` is the path of the invalid request field. */
export interface Refused {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export type ErrorForm = 'nested' | 'flat' | 'string' | 'list' | 'text' | 'problem' | 'detail_list' | 'pointer_list' | 'wrapped' | 'numbered'

export interface WrittenError {
  readonly contentType: string
  readonly body: Json
}

const forms = ['nested', 'flat', 'string', 'list', 'text', 'problem', 'detail_list', 'pointer_list', 'wrapped', 'numbered'] as const

export const errorFormOf = ({ draw }: Dialect): ErrorForm => draw.pick<ErrorForm>('error', forms)

/**
 * Writes the body of an error response. The API document shows error codes and statuses but no body, so each dialect has its own structure. Every
 * structure contains the code.
 */
export function writeError(dialect: Dialect, { status, code, message, fields }: Refused, requestId: string): WrittenError {
  const more = asJson(fields) as JsonObject
  const { field } = more
  const named = typeof field === 'string' ? field : null
  const name = (...words: string[]) => spelled(words, dialect.style)
  const json = (body: Json): WrittenError => ({ contentType: 'application/json; charset=utf-8', body })
  switch (errorFormOf(dialect)) {
    case 'nested':
      return json({ [name('error')]: { [name('code')]: code, [name('message')]: message, ...more } })
    case 'flat':
      return json({ code, msg: message, ...more })
    case 'string':
      return json({ error: code, error_description: message, ...more })
    case 'list':
      return json({ errors: [{ code, message, ...more }] })
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${code}: ${message}` }
    case 'problem':
      return {
        contentType: 'application/problem+json',
        body: {
          ...{ type: `urn:svc:error:${code.toLowerCase()}`, title: code, status, detail: message, instance: requestId },
          ...more,
          ...(named !== null && { errors: [{ pointer: `#/${named.replaceAll('.', '/')}`, detail: message }] }),
        },
      }
    case 'detail_list':
      return json({ code, detail: [{ loc: ['body', ...(named?.split('.') ?? [])], msg: message, type: code.toLowerCase() }], ...more })
    case 'pointer_list':
      return json({
        errors: [
          { status: status.toString(), code, title: message, ...(named !== null && { source: { pointer: `/${named.replaceAll('.', '/')}` } }), meta: more },
        ],
      })
    case 'wrapped':
      return json({ success: false, result: null, error: { type: code, reason: message, ...(named !== null && { param: named }), extra: more } })
    case 'numbered':
      return json({ retCode: 10_000 + status, retMsg: `${code}: ${message}`, code, ...more })
  }
}
