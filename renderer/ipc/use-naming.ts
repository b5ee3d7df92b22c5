import { failureText } from '../ui/failure-text.ts'
import type { Naming } from '../ui/name-offer.tsx'
import { useNavigate } from '../ui/navigation.tsx'
import { failureOf } from './desk-failure.ts'
import { useDeskCommand } from './use-desk.ts'

/** Remembers a name that a refusal asks for, then does `again` what was refused. */
export function useNaming(again: () => void): Naming {
  const navigate = useNavigate()
  const change = useDeskCommand('fieldMap.change')
  return {
    busy: change.isPending,
    failed: change.error === null ? null : failureText(failureOf(change.error)).meaning,
    onUse: ({ request, field }, asks) =>
      change.mutate({ set: [{ part: 'payloads', of: request, field, at: asks, unit: null }], remove: [], from: 'refusal' }, { onSuccess: again }),
    onEdit: () => navigate('settings/fields'),
  }
}
