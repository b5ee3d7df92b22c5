import { TicketPreset, TicketSettings } from '../../../shared/ipc/intents/presets.ts'
import { fail, ok } from '../../../shared/result.ts'
import { presetLimits } from '../../../shared/ticket/form/preset-limits.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/journal/kept-record.ts'

export interface Presets {
  readonly handlers: HandlersOf<'presets'>
}

const defaults: TicketSettings = { expert: false }

/** Terms of orders that the user keeps under a name, and how the ticket is used: per profile, on this computer only. */
export function createPresets({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): Presets {
  const prefix = `ticket/${profile.id}/preset/`
  const settingsName = `ticket/${profile.id}/settings`

  const list = (): TicketPreset[] =>
    values
      .withPrefix(prefix)
      // Damaged, or written by another version: what cannot be understood is not offered.
      .flatMap(({ value }) => readRecord(TicketPreset, value) ?? [])
      .sort((a, b) => a.name.localeCompare(b.name, 'en'))

  const settings = (): TicketSettings => {
    return readRecord(TicketSettings, values.get(settingsName)) ?? defaults
  }

  return {
    handlers: {
      'presets.list': () => ok({ presets: list() }),
      'presets.save': (preset) => {
        const kept = values.withPrefix(prefix)
        const name = `${prefix}${preset.name}`
        if (kept.length >= presetLimits.most && !kept.some((other) => other.name === name))
          return fail({ kind: 'bad_input', field: 'name', issue: `${presetLimits.most} presets are kept already. Delete one first.` })
        values.set(name, JSON.stringify(preset))
        return ok({})
      },
      'presets.remove': ({ name }) => {
        if (values.get(`${prefix}${name}`) === null) return fail({ kind: 'not_found', what: 'preset' })
        values.set(`${prefix}${name}`, null)
        return ok({})
      },
      'presets.settings': () => ok(settings()),
      'presets.saveSettings': (changed) => {
        values.set(settingsName, JSON.stringify(changed))
        return ok(changed)
      },
    },
  }
}
