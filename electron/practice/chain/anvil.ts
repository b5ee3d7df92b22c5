import { createInterface } from 'node:readline'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type GuardedProcess, runGuarded } from './guarded-process.ts'

export interface AnvilOptions {
  readonly program: string
  readonly platform: string
  /** Chain state across restarts; null keeps it in memory. */
  readonly stateFile: string | null
  /** Keeps the state of every block, which a reorganisation needs, at some 30 KB a block. */
  readonly history: boolean
  /** Unix seconds of the first block; null begins now. */
  readonly bornAt: number | null
}

export interface Anvil {
  readonly rpcUrl: string
  readonly process: GuardedProcess
}

/** Seconds between two dumps of the state. It is dumped once more when anvil ends, so this bounds what a power cut loses. */
const stateInterval = 30

/** States of the newest blocks that stay without history: a read at the newest block fails when that block is outrun and its state is gone. */
const keptStates = 16

/** Starts anvil as Base (8453) on loopback, one block a second. The failure is what anvil said. */
export async function startAnvil({ program, platform, stateFile, history, bornAt }: AnvilOptions): Promise<Result<Anvil, string>> {
  const process = runGuarded(
    program,
    [
      ...['--host', '127.0.0.1', '--port', '0', '--no-cors'],
      ...['--chain-id', '8453', '--block-time', '1'],
      // Later forks keep the hashes of old blocks in storage, which grows the state with every block.
      ...['--hardfork', 'cancun'],
      // No accounts whose keys everybody knows.
      ...['--accounts', '0'],
      ...(history ? [] : ['--prune-history', String(keptStates)]),
      ...(bornAt === null ? [] : ['--timestamp', String(bornAt)]),
      ...(stateFile === null ? [] : ['--state', stateFile, '--state-interval', String(stateInterval)]),
    ],
    platform,
  )
  const complaints: string[] = []
  createInterface({ input: process.stderr }).on('line', (line) => {
    if (complaints.length < 20) complaints.push(line)
  })
  // Read to the end of its life: a full pipe would stop it.
  const lines = createInterface({ input: process.stdout })
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const address = /^Listening on (127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address !== undefined) resolve(address)
    })
  })
  const outcome = await Promise.race([listening.then((address) => ok(address)), process.ended.then((how) => fail(how))])
  if (!outcome.ok) return fail(`anvil did not start: ${outcome.failure}. ${complaints.join(' ')}`.trim())
  return ok({ rpcUrl: `http://${outcome.value}`, process })
}
