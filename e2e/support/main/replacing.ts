import type { Replacement } from '../../../shared/ipc/keys/replacements.ts'
import { agreed, value, type Workspace } from './workspace.ts'

type Handlers = ReturnType<Workspace['handlers']>
type Step = Parameters<Handlers['replacements.advance']>[0]['step']

export function replacing(workspace: Workspace) {
  return {
    start: (keyId: string, change: { readonly label?: string; readonly expiresInDays?: number; readonly notBeforeMs?: number } = {}) =>
      workspace.handlers()['replacements.start']({ keyId, label: null, expiresInDays: null, notBeforeMs: null, ...change }),
    advance: (id: string, step: Step, confirmLabel: string | null = null) => workspace.handlers()['replacements.advance']({ id, step, confirmLabel }),
    listed: async () => value(await workspace.handlers()['replacements.list']({})),
    /** Returns the wallet’s only key replacement. Throws if there is none or more than one. */
    only: async (): Promise<Replacement> => {
      const [first, ...more] = value(await workspace.handlers()['replacements.list']({}))
      if (first === undefined || more.length > 0) throw new Error(`Not one replacement: ${more.length + 1}`)
      return first
    },
    /** Creates a read-only key, stores its secret and returns its id. */
    reader: async (label = 'reader') =>
      value(
        await workspace.handlers()['keys.createCustom']({
          label,
          scopes: ['market:read', 'account:read'],
          expiresInDays: 40,
          ipAllowlist: ['127.0.0.1'],
          quotas: [{ name: 'requests_per_second', value: '7' }],
        }),
      ).id,
    /** Signs the agent’s grant for a new key with the wallet, then creates the key. */
    signGrant: async () => {
      const draft = value(await workspace.handlers()['keys.draft']({}))
      if (draft === null) throw new Error('No draft')
      const signature = await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })))
      return workspace.handlers()['keys.create']({ draftId: draft.id, signature })
    },
    attention: async () => value(await workspace.handlers()['app.attention']({})).filter(({ kind }) => kind.startsWith('replacement')),
    keys: async () => value(await workspace.handlers()['keys.list']({})).keys,
  }
}
