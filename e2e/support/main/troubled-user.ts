import { constantFrom, nat, option } from 'fast-check'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import type { Replacement } from '../../../shared/ipc/keys/replacements.ts'
import type { Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { elsewhere } from './elsewhere.ts'
import { dieAtWrite, Killed } from './sudden-death.ts'
import { agreed, startWorkspace, value, type Workspace } from './workspace.ts'

const listRoute = 'GET /api/dex/developer/keys'
const changeRoutes = ['POST /api/dex/developer/keys', 'POST /api/dex/developer/keys/{key_id}/rotate', 'DELETE /api/dex/developer/keys/{key_id}'] as const

const troubles = [
  'none',
  'none',
  'request lost',
  'answer lost',
  'answer cut',
  'fails',
  'refused',
  'asked to wait',
  'list fails',
  'keychain fails',
  'keychain fails late',
] as const

export interface Trouble {
  readonly trouble: (typeof troubles)[number]
  readonly dies: number | null
}

/** fast-check generators for what can go wrong during one action. */
export const anyTrouble = { trouble: constantFrom(...troubles), dies: option(nat(12), { freq: 2 }) }

/** What the random runs reached: state transitions of key operations, and states of key replacements. */
export interface Reached {
  readonly operations: Set<string>
  readonly replacements: Set<string>
}

/** A user whose app meets random failures, and who resolves everything afterwards. */
export interface TroubledUser {
  readonly workspace: Workspace
  listed(): Promise<KeySummary[]>
  replacements(): Promise<Replacement[]>
  /** Runs `act` with a fault. Then ends the fault, and restarts the process if it died. */
  meet(trouble: Trouble, act: () => Promise<unknown>): Promise<void>
  /** Signs the agent’s grant for a new key with the wallet, then creates the key. Does nothing if no draft of a key exists. */
  signDraft(): Promise<void>
  /** Active keys whose secret is missing or broken although the app shows no unmatched key. The user would not notice these. */
  unexplained(): Promise<string[]>
  /**
   * Stores secrets that are only in memory. Resolves every unmatched key, alternating between rotating and revoking. An even `turn` starts with
   * rotating, an odd one with revoking.
   */
  settle(turn: number): Promise<void>
  /** Active keys whose secret is not in the keychain or does not work. */
  unusable(): Promise<string[]>
}

export async function startTroubledUser(reached: Reached): Promise<TroubledUser> {
  const workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  const other = elsewhere(workspace)

  /** Records the transitions of key operations in `reached`. Called again after each restart, because each start opens a new journal. */
  const watch = () => {
    const { secretOperations } = workspace.journal()
    const { move, get } = secretOperations
    Object.assign(secretOperations, {
      move: (...input: Parameters<typeof move>) => {
        const before = get(input[0])
        const after = move(...input)
        reached.operations.add(`${after.kind}: ${before?.state} → ${after.state}`)
        return after
      },
    })
  }
  watch()

  const restart = async () => {
    const before = workspace.journal().secretOperations.list('practice', 500)
    await workspace.restart()
    for (const { id, kind, state } of before) {
      const now = workspace.journal().secretOperations.get(id)?.state
      if (now !== state) reached.operations.add(`${kind}: ${state} → ${now}`)
    }
    watch()
    await workspace.connect()
  }

  const cause = (trouble: Trouble['trouble']) => {
    const { faults, secrets } = workspace
    const answers = (status: number, code: string, routes: readonly string[]) => routes.map((route) => ({ route, status, code, times: 99 }))
    const each = changeRoutes.map((route) => ({ route, times: 99 }))
    Object.assign(faults, { dropRequest: [], dropAnswer: [], body: [], answer: [] })
    secrets.failWrites(null)
    switch (trouble) {
      case 'none':
        return
      case 'request lost':
        faults.dropRequest = each
        return
      case 'answer lost':
        faults.dropAnswer = each
        return
      case 'answer cut':
        faults.body = changeRoutes.map((route) => ({ route, kind: 'truncated' }))
        return
      case 'fails':
        faults.answer = answers(500, 'INTERNAL', changeRoutes)
        return
      case 'refused':
        faults.answer = answers(403, 'NOT_NOW', changeRoutes)
        return
      case 'asked to wait':
        faults.answer = answers(429, 'RATE_LIMITED', changeRoutes)
        return
      case 'list fails':
        faults.answer = answers(503, 'MAINTENANCE', [listRoute])
        return
      case 'keychain fails':
        secrets.failWrites('locked')
        return
      case 'keychain fails late':
        secrets.failWritesAfterProbe('failed')
        return
    }
  }

  const listed = async () => value(await workspace.handlers()['keys.list']({})).keys
  const replacements = async () => value(await workspace.handlers()['replacements.list']({}))
  const unmatched = async () => value(await workspace.handlers()['keys.unmatched']({}))

  /** Ids of new keys whose secret the user has handed to a bot. */
  const handedOver = async () =>
    (await replacements()).flatMap(({ now, newKey }) => (newKey !== null && ['handed_over', 'revoking', 'done'].includes(now.state) ? [newKey.id] : []))

  const works = async (keyId: string): Promise<boolean> => {
    const copied = await workspace.handlers()['keys.copySecret']({ keyId })
    const secret = copied.ok ? workspace.copied.at(-1) : undefined
    return secret !== undefined && (await other.works(secret))
  }

  return {
    workspace,
    listed,
    replacements,
    meet: async ({ trouble, dies }, act) => {
      cause(trouble)
      const death = dies === null ? null : dieAtWrite(workspace, dies)
      try {
        await act()
      } catch (error) {
        if (!(error instanceof Killed)) throw error
      }
      cause('none')
      if (death !== null) {
        death.revive()
        await restart()
      }
      // Advances the clock by a second, because requests from before the restart count towards the service’s rate limit.
      workspace.clock.advance(second)
      for (const { now } of await replacements()) reached.replacements.add(now.state)
    },
    signDraft: async () => {
      const draft = value(await workspace.handlers()['keys.draft']({}))
      if (draft === null) return
      const request = await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })
      if (request.ok) await workspace.handlers()['keys.create']({ draftId: draft.id, signature: await workspace.sign(request.value) })
    },
    unexplained: async () => {
      const explained = new Set([...(await unmatched()).flatMap(({ candidates }) => candidates.map(({ id }) => id)), ...(await handedOver())])
      const found: string[] = []
      for (const { id, status } of await listed()) if (status === 'active' && !explained.has(id) && !(await works(id))) found.push(id)
      return found
    },
    settle: async (turn) => {
      for (const { id, secret } of await listed()) if (secret === 'memory') value(await workspace.handlers()['keys.retryStore']({ keyId: id }))
      for (let round = turn; round < turn + 20; round += 1) {
        workspace.clock.advance(16 * second)
        const [first] = await unmatched()
        if (first === undefined) break
        const keyId = first.candidates[0]?.id
        if (keyId === undefined) continue
        const action = first.kind === 'rotate' && first.oldSecret === 'works' ? 'dismiss' : round % 2 === 0 ? 'rotate' : 'revoke'
        const settled: Result<unknown, Failure> = await workspace.handlers()['keys.resolveUnmatched']({ operationId: first.operationId, keyId, action })
        if (!settled.ok) throw new Error(`Not settled: ${JSON.stringify({ first, settled })}`)
      }
      // At its next start, the app verifies rotations that it could not verify before.
      await restart()
      workspace.clock.advance(second)
      await listed()
    },
    unusable: async () => {
      const found: string[] = []
      const elsewhereByWord = await handedOver()
      for (const { id, status, secret } of await listed())
        if (status === 'active' && !(secret === 'elsewhere' && elsewhereByWord.includes(id)) && (secret !== 'keychain' || !(await works(id)))) found.push(id)
      return found
    },
  }
}
