import { z } from 'zod'
import { command, query } from '../define.ts'

/** In the order in which they run: the cheapest first. */
export const DoctorCheckId = z.enum([
  'secret',
  'status',
  'expiry',
  'service',
  'clock',
  'accepted',
  'address',
  'wallet',
  'scope:market:read',
  'scope:account:read',
  'scope:trade:prepare',
  'scope:orders:manage',
  'scope:collateral:manage',
  'scope:trade:execute',
  'executor',
  'agent',
  'payment',
])
export type DoctorCheckId = z.infer<typeof DoctorCheckId>

export const DoctorCheck = z.object({
  id: DoctorCheckId,
  title: z.string(),
  /** skipped: an earlier one failed, or the key does not have the scope. */
  verdict: z.enum(['pass', 'warn', 'fail', 'skipped']),
  /** What was found and what it means. */
  words: z.string(),
  /** How long the call took; null where none was made. */
  ms: z.number().nullable(),
  requestId: z.string().nullable(),
})
export type DoctorCheck = z.infer<typeof DoctorCheck>

export const DoctorReport = z.object({
  keyId: z.string(),
  label: z.string(),
  startedAtMs: z.number(),
  finishedAtMs: z.number(),
  checks: z.array(DoctorCheck),
  /** What it comes down to: the first thing that keeps the key from working. */
  cause: z.enum([
    'healthy',
    'secret_missing',
    'keychain',
    'revoked',
    'missing_or_revoked',
    'expired',
    'service_down',
    'clock_skew',
    'ip_not_allowed',
    'other_wallet',
    'scope_missing',
    'executor_not_bound',
    'agent_not_granted',
    'rate_limited',
    'unclear',
  ]),
  sentence: z.string(),
  /** What helps, and where; null where nothing is wrong or nothing here helps. */
  action: z.object({ label: z.string(), to: z.string() }).nullable(),
})
export type DoctorReport = z.infer<typeof DoctorReport>

const keyRef = z.object({ keyId: z.string() })

export const doctor = {
  /** Calls that read, prepare or are refused. Executes nothing, signs nothing, changes no key. */
  'doctor.run': command(keyRef, DoctorReport, { invalidates: ['doctor.last', 'audit.list'] }),
  /** The last report of this key, also of an earlier run of the app; null where there is none. */
  'doctor.last': query(keyRef, DoctorReport.nullable()),
} as const
