import type { Missing } from '../../shared/ipc/missing.ts'
import { cx } from '../kit/cx.ts'
import textStyles from '../kit/text.module.css'
import { missingText } from '../text/page-cut-text.ts'
import styles from './parts.module.css'

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
    <p className={cx(styles.missingNote, textStyles.warn)} role="status">
      {text}
    </p>
  )
}
