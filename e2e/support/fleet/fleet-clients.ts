import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { freePort } from '../free-port.ts'

/** The address from which the bots of fleet tests call. The app itself calls from 127.0.0.1. */
export const botAddress = '127.0.0.2'

/** Calls the service with a key as a bot does. Returns the status. */
export function callAsBot(hostUrl: string, key: string, { from = botAddress, requestId = null as string | null } = {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const headers = { 'x-svc-api-key': key, ...(requestId === null ? {} : { 'x-request-id': requestId }) }
  const call = request(new URL('/api/dex/v1/status', hostUrl), { localAddress: from, headers, agent: false }, (answer) => {
    answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
  })
  call.once('error', reject).end()
  return promise
}

/** A program in place of a client: it keeps its input, arguments and environment in `folder`. */
export function standIn(folder: string, name: string, more = ''): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  const keep = `printf '%s\\n' "$@" > '${folder}/${name}.words'; cat > '${folder}/${name}.input'; env > '${folder}/${name}.env'`
  writeFileSync(join(bin, name), `#!/bin/sh\n${more === '' ? keep : more.replaceAll('KEEP', keep)}\n`, { mode: 0o755 })
}
export const kept = (folder: string, name: string, what: 'words' | 'input' | 'env'): string => readFileSync(join(folder, `${name}.${what}`), 'utf8')

interface Sshd {
  readonly port: number
  /** The line about this host for the file `known` in the folder. Until it is there, ssh does not know the host. */
  readonly knownHost: string
  stop(): Promise<void>
}

/** Starts a real sshd for this user, and a stand-in for ssh that knows it as `bots`. Rejects with what sshd said if it does not start. */
export async function startSshd(folder: string, program = '/usr/sbin/sshd'): Promise<Sshd> {
  for (const name of ['host', 'user']) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  const port = await freePort()
  writeFileSync(join(folder, 'allowed'), readFileSync(join(folder, 'user.pub')), { mode: 0o600 })
  const lines = ['ListenAddress 127.0.0.1', `Port ${port}`, `HostKey ${folder}/host`, `AuthorizedKeysFile ${folder}/allowed`, 'StrictModes no', 'UsePAM no']
  writeFileSync(join(folder, 'sshd'), [...lines, 'PasswordAuthentication no', `PidFile ${folder}/pid`, ''].join('\n'))
  // Only root's sshd needs this folder, and only root may make it.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true })
  // The stand-in adds only where ssh finds its configuration, which is in the user's home otherwise.
  const own = ['Host bots', 'HostName 127.0.0.1', `IdentityFile ${folder}/user`, 'IdentitiesOnly yes', `UserKnownHostsFile ${folder}/known`]
  writeFileSync(join(folder, 'config'), [...own, 'StrictHostKeyChecking accept-new', ''].join('\n'))
  standIn(folder, 'ssh', `exec /usr/bin/ssh -F '${folder}/config' "$@"`)

  const sshd = spawn(program, ['-D', '-e', '-f', join(folder, 'sshd')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(sshd, 'close')
  let said = ''
  await new Promise<void>((resolve, reject) => {
    sshd.stderr.on('data', (chunk: Buffer) => {
      said += String(chunk)
      if (said.includes('listening')) resolve()
    })
    ended.then(() => reject(new Error(`sshd did not start: ${said}`)), reject)
  })
  return {
    port,
    knownHost: `[127.0.0.1]:${port} ${readFileSync(join(folder, 'host.pub'), 'utf8')}`,
    stop: async () => {
      sshd.kill('SIGTERM')
      await ended
    },
  }
}

/** Puts the stand-ins of `folder` before all other programs of this process. Returns a function that undoes it. */
export function withStandIns(folder: string): () => void {
  const { PATH: before = '' } = process.env
  process.env.PATH = `${join(folder, 'bin')}${delimiter}${before}`
  return () => {
    process.env.PATH = before
  }
}
