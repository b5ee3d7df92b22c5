import type { FleetChoice, FleetItem, FleetPlan, FleetTarget, NewFleetPlan } from '../../../shared/ipc/keys/fleet.ts'
import { agreed, value, type Workspace } from '../main/workspace.ts'
import { botAddress } from './fleet-clients.ts'

export function fleetUser(workspace: Workspace) {
  const plans = async (): Promise<FleetPlan[]> => value(await workspace.handlers()['fleet.list']({}))
  const plan = async (id: string): Promise<FleetPlan> => {
    const found = (await plans()).find((one) => one.id === id)
    if (found === undefined) throw new Error(`No plan ${id}`)
    return found
  }
  return {
    plans,
    plan,
    item: async (id: string, index = 0): Promise<FleetItem> => {
      const item = (await plan(id)).items[index]
      if (item === undefined) throw new Error(`No key ${index}`)
      return item
    },
    ask: (items: { readonly keyId: string; readonly target: FleetTarget }[], more: Partial<Omit<NewFleetPlan, 'items'>> = {}) =>
      workspace.handlers()['fleet.create']({ name: 'plan', items, addresses: [botAddress], waitMinutes: 5, dueAtMs: null, ...more }),
    set: (id: string, to: 'pause' | 'resume' | 'end') => workspace.handlers()['fleet.set']({ id, to }),
    look: async (id: string) => value(await workspace.handlers()['fleet.look']({ id })),
    choose: (id: string, itemId: string, choice: FleetChoice) => workspace.handlers()['fleet.choose']({ id, itemId, choice }),
    /** Signs the grant of the new key that a plan is making. */
    sign: async () => {
      const draft = value(await workspace.handlers()['keys.draft']({}))
      if (draft === null) throw new Error('No draft')
      const signature = await workspace.sign(value(await workspace.handlers()['keys.ask']({ draftId: draft.id, ...agreed })))
      return value(await workspace.handlers()['keys.create']({ draftId: draft.id, signature }))
    },
  }
}
