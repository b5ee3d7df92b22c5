import type { Journal } from '../../store/journal/journal.ts'

/** The label as the service gets it. `withoutMarker` takes the marker off again. */
export const markedLabel = (label: string, marker: string): string => `${label} #${marker}`

export const markerLength = 6

/** Operations looked at: what is older has lost its key by now, or keeps its marker. */
const mostRecent = 500

/** The markers that this app gave to labels. An operation that makes no key has none. */
export const markersOf = ({ secretOperations }: Pick<Journal, 'secretOperations'>, profileId: string): ReadonlySet<string> =>
  new Set(
    secretOperations
      .list(profileId, mostRecent)
      .map(({ marker }) => marker)
      .filter((marker) => marker !== ''),
  )

/** A label of the service as the user gave it: without the marker, where it is one of `known`. */
export function withoutMarker(label: string, known: ReadonlySet<string>): string {
  const at = label.lastIndexOf(' #')
  return at > 0 && known.has(label.slice(at + 2)) ? label.slice(0, at) : label
}
