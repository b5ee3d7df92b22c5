import { fail, ok, type Result } from '../../../shared/result.ts'

/** `svc-desk check`: what of the service's answers the app understands. */
export interface CheckLine {
  readonly action: 'check'
  readonly profile: string | null
  readonly data: string | null
  readonly json: boolean
  readonly dryRuns: boolean
  readonly acceptTops: boolean
}

export const checkFlags = ['dry-runs', 'accept-top'] as const
const taken: readonly string[] = ['profile', 'data', 'json', ...checkFlags]

export function readCheck(words: readonly string[], options: ReadonlyMap<string, string>): Result<CheckLine, string> {
  const foreign = [...options.keys()].find((option) => !taken.includes(option))
  if (foreign !== undefined) return fail(`check takes no --${foreign}.`)
  if (words.length > 0) return fail('check reads every route: name none.')
  return ok({
    action: 'check',
    profile: options.get('profile') ?? null,
    data: options.get('data') ?? null,
    json: options.has('json'),
    dryRuns: options.has('dry-runs'),
    acceptTops: options.has('accept-top'),
  })
}
