import type { TerminalGrant, TerminalRequest } from '../../shared/ipc/keys/secrets.ts'
import { type Clock, hour } from '../../shared/time.ts'

/** A request with what it must be equal to besides what is shown. */
export interface BoundRequest extends TerminalRequest {
  /** Of the bytes of its program; null: it is asked about each time. */
  readonly print: string | null
  /** When the secrets that it would get were stored, Unix ms: a rotation stores another one. */
  readonly storedAtMs: readonly (number | null)[]
}

/** What the user allowed without a question: one key, for one command, for a while. */
export interface Grants {
  list(): TerminalGrant[]
  /** The grant for exactly this, noted as used now; null where there is none. */
  use(request: BoundRequest): TerminalGrant | null
  /** Nothing where the request is asked about each time. */
  add(request: BoundRequest): void
  /** False where there is none of this id. */
  remove(id: string): boolean
  /** Ends all: when the app locks. */
  clear(): void
}

/** A working day, and no more: what was allowed in the morning is asked again on the next. */
export const grantLifeMs = 12 * hour

interface Kept {
  readonly request: BoundRequest
  readonly grant: TerminalGrant
}

/** Kept in memory alone: a start of the app ends them. */
export function createGrants({ clock, newId }: { readonly clock: Clock; readonly newId: () => string }): Grants {
  const kept = new Map<string, Kept & { readonly endsAt: number }>()
  const drop = () => {
    for (const [id, { grant, endsAt }] of kept) if (clock.monotonic() >= endsAt || clock.now() >= grant.endsAtMs) kept.delete(id)
  }

  return {
    list: () => {
      drop()
      return [...kept.values()].map(({ grant }) => grant)
    },
    use(request) {
      drop()
      const found = [...kept.values()].find((one) => isSame(one.request, request))
      if (found === undefined) return null
      const grant = { ...found.grant, lastUsedAtMs: clock.now() }
      kept.set(grant.id, { ...found, grant })
      return grant
    },
    add(request) {
      if (request.print === null) return
      const { kind, profile, key, webhook, words, folder } = request
      const atMs = clock.now()
      const grant: TerminalGrant = {
        ...{ id: newId(), kind, profile: { id: profile.id, name: profile.name }, words, folder, atMs, endsAtMs: atMs + grantLifeMs, lastUsedAtMs: null },
        key: key === null ? null : { id: key.id, label: key.label },
        webhook: webhook === null ? null : { id: webhook.id, url: webhook.url },
      }
      kept.set(grant.id, { request, grant, endsAt: clock.monotonic() + grantLifeMs })
    },
    remove: (id) => kept.delete(id),
    clear: () => kept.clear(),
  }
}

const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((one, index) => one === b[index])

/** Every word, the program's bytes and the folder: a script of the same name elsewhere is another command. */
const isSame = (before: BoundRequest, now: BoundRequest): boolean =>
  before.print !== null &&
  before.print === now.print &&
  before.kind === now.kind &&
  before.profile.id === now.profile.id &&
  before.key?.id === now.key?.id &&
  before.webhook?.id === now.webhook?.id &&
  before.program === now.program &&
  (now.kind !== 'run' || before.folder === now.folder) &&
  sameList(before.storedAtMs, now.storedAtMs) &&
  sameList(before.words, now.words)
