import type { IncomingMessage } from 'node:http'
import { fail, ok, type Result } from '../../../../shared/result.ts'
import { type Refusal, refuse } from './reply.ts'

/** What the service does 7: 48 KiB. */
const bodyLimit = 49_152

/** A body that goes on for this long is no longer read to its end, which would let the client read the refusal. */
const patience = 16 * bodyLimit

/** A null value stands for a client that went away while sending. */
export function readBody(request: IncomingMessage): Promise<Result<Buffer | null, Refusal>> {
  const tooLarge = fail(refuse(413, 'BODY_TOO_LARGE', `The body is larger than ${bodyLimit} bytes`))
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= bodyLimit) chunks.push(chunk)
      else if (size > patience) resolve(tooLarge)
    })
    request.on('end', () => resolve(size > bodyLimit ? tooLarge : ok(Buffer.concat(chunks))))
    request.on('close', () => resolve(ok(null)))
    request.on('error', () => resolve(ok(null)))
  })
}

/**
 * JSON in UTF-8, and at the top an object; nothing at all counts as an empty object.
 * @param parse throws on what is not JSON
 */
export function parseBody(
  bytes: Buffer,
  contentType: string | undefined,
  parse: (text: string) => unknown = JSON.parse,
): Result<Record<string, unknown>, Refusal> {
  if (bytes.length === 0) return ok({})
  if (contentType !== undefined && !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType))
    return fail(refuse(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8'))
  try {
    const value = parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return ok({ ...value })
    return fail(refuse(400, 'INVALID_JSON', 'The body must be a JSON object'))
  } catch {
    return fail(refuse(400, 'INVALID_JSON', 'The body is not JSON in UTF-8'))
  }
}
