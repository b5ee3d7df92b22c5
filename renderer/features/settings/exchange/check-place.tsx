import type { ReactNode } from 'react'
import { cx } from '../../../kit/cx.ts'
import textStyles from '../../../kit/text.module.css'
import { VisibleText } from '../../../kit/visible-text.tsx'

/** A place of an answer in a list, with the value there. `before`: what it is for. */
export function CheckPlace({ path, preview, before, children }: CheckPlaceProps) {
  return (
    <li>
      {before === undefined ? null : <span>{before}</span>}
      <code>
        <VisibleText text={path} />
      </code>
      <span className={cx(textStyles.muted, textStyles.grow)}>
        <VisibleText text={preview} />
      </span>
      {children}
    </li>
  )
}

interface CheckPlaceProps {
  readonly path: string
  readonly preview: string
  readonly before?: string
  readonly children?: ReactNode
}
