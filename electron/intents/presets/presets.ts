import type { TicketPreset, TicketSettings } from '../../../shared/ipc/intents/presets.ts'
import { fail, ok } from '../../../shared/result.ts'
import { presetLimits } from '../../../shared/ticket/form/ticket-state.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'

export interface Presets {
  readonly handlers: HandlersOf<'presets'>
}

const defaults: TicketSettings = { expert: false }

/** Stores the order presets that the user named, and the ticket’s settings. They belong to one profile and stay on this computer. */
export function createPresets({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): Presets {
  const { presets, ticketSettings } = records
  const mine = { profile: profile.id }

  const list = (): TicketPreset[] =>
    presets
      .list(mine)
      .map(({ record }) => record)
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))

  return {
    handlers: {
      'presets.list': () => ok({ presets: list() }),
      'presets.save': (preset) => {
        const kept = list()
        if (kept.length >= presetLimits.most && !kept.some((other) => other.name === preset.name))
          return fail({ kind: 'bad_input', field: 'name', issue: `presets_full ${presetLimits.most}` })
        presets.write({ ...mine, name: preset.name }, preset)
        return ok({})
      },
      'presets.remove': ({ name }) => {
        if (presets.read({ ...mine, name }) === null) return fail({ kind: 'not_found', what: 'preset' })
        presets.delete({ ...mine, name })
        return ok({})
      },
      'presets.settings': () => ok(ticketSettings.read(mine) ?? defaults),
      'presets.saveSettings': (changed) => {
        ticketSettings.write(mine, changed)
        return ok(changed)
      },
    },
  }
}
