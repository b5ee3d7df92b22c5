import type { Missing } from '../../shared/ipc/missing.ts'
import { missingText } from '../text/page-cut-text.ts'

interface MissingNoteProps {
  /** undefined: the list was not read yet. */
  readonly missing: Missing | undefined
  readonly one: string
  readonly many: string
}

/** Says above a list what it lacks; draws nothing where it is whole. */
export function MissingNote({ missing, one, many }: MissingNoteProps) {
  const text = missing === undefined ? null : missingText(missing, one, many)
  return text === null ? null : (
    <p className="missing-note warn-t" role="status">
      {text}
    </p>
  )
}
