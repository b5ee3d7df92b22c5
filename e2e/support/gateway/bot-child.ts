// A bot as a process of its own. It knows a URL and a token, both from its standard input. For each further line, it sends one order and prints the
// answer as one line of JSON. The line `{}` only reads the account.
import { createInterface } from 'node:readline'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const next = async (): Promise<string | null> => {
  const { done, value } = await lines.next()
  return done === true ? null : value
}
const url = (await next()) ?? ''
const token = (await next()) ?? ''
const headers = { 'x-svc-api-key': token, 'content-type': 'application/json' }
for (let line = await next(); line !== null; line = await next()) {
  const isRead = line === '{}'
  const answer = isRead
    ? await fetch(`${url}/api/dex/v1/account`, { headers })
    : await fetch(`${url}/api/dex/v1/orders/execute`, { method: 'POST', headers, body: line })
  process.stdout.write(`${JSON.stringify({ status: answer.status, json: await answer.json() })}\n`)
}
