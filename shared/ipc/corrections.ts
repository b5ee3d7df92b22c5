import { z } from 'zod'
import { command, query } from './define.ts'

/** By action and assumed field: the name that the service gives to it. `shared/ticket/corrections` says what may stand there. */
export const CorrectionNames = z.record(z.string().max(64), z.record(z.string().max(64), z.string().max(64)))

const changes = { invalidates: ['corrections.get'] }

export const corrections = {
  'corrections.get': query(z.object({}), CorrectionNames),
  /** Replaces all of them. Fails with `bad_input`, whose issue names what is wrong. */
  'corrections.save': command(CorrectionNames, CorrectionNames, changes),
  /** Into a file that the user chooses; null: none was chosen. */
  'corrections.export': command(z.object({}), z.object({ path: z.string().nullable() })),
  /** From a file that the user chooses, in place of all that stand; null: none was chosen. */
  'corrections.import': command(z.object({}), z.object({ path: z.string().nullable() }), changes),
} as const
