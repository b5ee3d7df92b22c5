// Runs as a separate process, because proxies and certificate authorities come from the environment. Calls a service as the app does, once to read
// and once to write. Prints the results as JSON.

import { createDispatcher, createOpenDispatcher } from '../../../electron/service/transport/dispatcher.ts'
import { proxyEnvironment } from '../../../electron/service/transport/system-proxy.ts'
import { createPostJson } from '../../../electron/wallet/chain/rpc.ts'
import { call, read, testClient, write } from './client.ts'

const [hostUrl = '', wait = ''] = process.argv.slice(2)
const deadlineMs = Number(wait)
const proxy = proxyEnvironment(process.env)
const { api } = testClient(hostUrl, createDispatcher(new URL(hostUrl), proxy))
const rpc = createOpenDispatcher(proxy)
const outcomes: unknown[] = []
for (const endpoint of [read, write]) {
  const answer = await call(api, endpoint, { deadlineMs })
  outcomes.push(answer.ok ? answer.value.status : answer.failure)
}
// The app reads the blockchain with a separate client, which must use the same proxies and authorities.
const post = createPostJson(rpc)(`${hostUrl}/rpc`, '{}', { maxBytes: 4_096, deadlineMs })
outcomes.push(await post.then(({ status }) => status).catch(() => 'lost'))
await api.close()
await rpc.destroy()
process.stdout.write(JSON.stringify(outcomes))
