import { homedir } from 'node:os'
import { join } from 'node:path'
import { redactText } from '../../shared/api/redact.ts'
import { second, systemClock } from '../../shared/time.ts'
import { namedFolders } from '../host/app/folders.ts'
import { sleep } from '../kernel/deadline.ts'
import { exitOnError } from '../kernel/process-guard.ts'
import { createKeyTrial } from '../keys/imported/key-import.ts'
import { createLimiter } from '../service/transport/limiter.ts'
import { proxyEnvironment, proxyFor } from '../service/transport/system-proxy.ts'
import { createKeychain } from '../store/keychain/keychain.ts'
import { createKeychainProcess, type KeychainWorker } from '../store/keychain/keychain-process.ts'
import { systemLookUp } from '../webhooks/subscriptions/webhook-parts.ts'
import { askPassphrase, askWord } from './channel/choose.ts'
import { exitCodes } from './channel/refusal.ts'
import { relaySignals } from './channel/run-child.ts'
import { svcDesk } from './svc-desk.ts'

/** How long a keychain call may take: long enough for the user to unlock the keychain. */
const keychainTimeoutMs = 60 * second

/** Runs `svc-desk` in this process and ends it with the command's exit code. */
export async function startSvcDesk({
  words,
  version,
  forkKeychain,
}: {
  readonly words: readonly string[]
  readonly version: string
  readonly forkKeychain: () => KeychainWorker
}): Promise<void> {
  const { env, platform, stdin, stdout, stderr, exit } = process
  // If the program that reads our output closes the pipe, ignore the error and drop all further output. The started command notices the closed pipe
  // when it writes next.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  const sayError = (error: unknown) => stderr.write(`svc-desk: ${redactText(error instanceof Error ? error.message : String(error))}\n`)
  exitOnError(() => exit(exitCodes.internal), sayError)
  const signals = relaySignals(exit)
  const keychain = createKeychainProcess({ fork: forkKeychain, timeoutMs: keychainTimeoutMs })
  const code = await svcDesk({
    words,
    env,
    folder: process.cwd(),
    platform,
    version,
    data: dataFolder(platform, env, homedir()),
    folders: namedFolders,
    // The app stores the keychain entries of live profiles under this name.
    secrets: createKeychain({ process: keychain, service: 'Svc Desk' }),
    ask: askPassphrase,
    askWord,
    lookUp: systemLookUp,
    tryKeys: (hostUrl) => tryKeys(hostUrl, version, env),
    stdin,
    stdout,
    stderr,
    signals,
    clock: systemClock,
  }).catch((error: unknown) => {
    sayError(error)
    return exitCodes.internal
  })
  await keychain.close()
  await Promise.all([stdout, stderr].map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))))
  exit(code)
}

function dataFolder(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: string): string {
  const name = 'Svc Desk'
  if (platform === 'darwin') return join(home, 'Library/Application Support', name)
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData/Roaming'), name)
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), name)
}

/** Tests keys on their exchange, through the proxy that the environment variables name. */
async function tryKeys(hostUrl: string, version: string, env: NodeJS.ProcessEnv) {
  const { createHostClient } = await import('../service/api/client.ts')
  const proxy = await proxyFor(hostUrl, proxyEnvironment(env), async () => 'DIRECT')
  const api = createHostClient({ hostUrl, clock: systemClock, limiter: createLimiter({ clock: systemClock, sleep }), version, proxy })
  return { ...createKeyTrial({ api }), close: api.close }
}
