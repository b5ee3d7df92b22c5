import type { Practice } from './practice.ts'

type Announced = Pick<Practice, 'descriptor' | 'bots'>

/** For programs: one line of JSON. `walletKey` is play money; `pid` is the process to stop with SIGTERM. */
export const announcedAsJson = ({ descriptor, bots }: Announced): string => `${JSON.stringify({ ...descriptor, ...bots, pid: process.pid })}\n`

/** For people: where everything is, and what to paste for a bot. */
export function announcedAsText({ descriptor, bots }: Announced): string {
  const { hostUrl, secondHostUrl, rpcUrl, relayUrl, walletAddress, hooksUrl } = descriptor
  const lines: [name: string, value: string][] = [
    ['Host URL', hostUrl],
    ['Base URL', `${hostUrl}/api/dex/v1`],
    ['Second host', secondHostUrl],
    ['Base RPC', rpcUrl],
    ['WalletConnect', relayUrl],
    ['Practice wallet', walletAddress],
    ...bots.funded.map((owner): [string, string] => ['Funded wallet', owner]),
    ['Executor', bots.executor],
    ...(hooksUrl === null ? [] : [['Test hooks', hooksUrl] as [string, string]]),
  ]
  const table = lines.map(([name, value]) => `  ${name.padEnd(17)}${value}`).join('\n')
  return `Practice mode is running, on this computer only and with play money.

${table}

For a bot, paste these lines into its terminal. The key signs for the practice wallet.
It is PLAY MONEY: a random key, made here and worth nothing anywhere else.

export SVC_HOST_URL=${hostUrl}
export SVC_WALLET_KEY=${bots.walletKey}

Ctrl-C stops it. So does closing this terminal, or: kill ${process.pid}
`
}
