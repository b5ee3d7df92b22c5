import type { Failure } from '../../../shared/ipc/failure.ts'
import type { GapCheck } from '../../../shared/ipc/webhooks/gaps.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { SaveText } from '../../kernel/files/save-text.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import { gapsFile } from './gaps-file.ts'

export interface SaveGapsDeps {
  readonly check: (sinceMs: number | null) => Promise<Result<GapCheck, Failure>>
  readonly saveText: SaveText
  readonly clock: Clock
}

/** Checks, and writes the rows into a file that the user chooses. */
export const createSaveGaps =
  ({ check, saveText, clock }: SaveGapsDeps): Handlers<'gaps.save'>['gaps.save'] =>
  async ({ sinceMs, format, missing }) => {
    const checked = await check(sinceMs)
    if (!checked.ok) return checked
    const all = checked.value.kind === 'checked' ? checked.value.rows : []
    const rows = missing ? all.filter(({ result }) => result === 'missing') : all
    const saved = await saveText(
      {
        title: 'Save the gap check',
        button: 'Save',
        kinds: [format === 'csv' ? { name: 'Table', extensions: ['csv'] } : { name: 'JSON', extensions: ['json'] }],
        suggested: `svc-desk-webhook-gaps-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
      },
      () => gapsFile(format, rows),
    )
    if (!saved.ok) return saved
    return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: rows.length })
  }
