import { fail, ok, type Result } from '../result.ts'
import { longestPasted, type Pasted } from './pasted.ts'
import { readPastedCurl } from './pasted-curl.ts'
import { readPastedHar } from './pasted-har.ts'
import { readPastedHeaders } from './pasted-headers.ts'

/** Reads a delivery as somebody copied it: headers and body, a curl command for bash, or a HAR. Fails with a sentence about what cannot be read. */
export function readPasted(text: string): Result<Pasted, string> {
  if (text.trim() === '') return fail('There is nothing here yet.')
  if (text.length > longestPasted) return fail('This is more than 2 MB of text. Paste one delivery, or a HAR with fewer requests.')
  const har = /^\s*\{/.test(text) ? readPastedHar(text) : null
  if (har !== null) return har.ok ? ok({ form: 'har', deliveries: har.value }) : har
  const isCurl = /^\s*(?:#[^\n]*\n\s*)*(?:\$ )?curl(?:\.exe)?[ \t\\^]/.test(text)
  const one = isCurl ? readPastedCurl(text.replace(/^\s*\$ /, '')) : readPastedHeaders(text)
  return one.ok ? ok({ form: isCurl ? 'curl' : 'headers', deliveries: [one.value] }) : one
}
