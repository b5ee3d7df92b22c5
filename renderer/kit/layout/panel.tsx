import { type ReactNode, useId } from 'react'
import { cx } from '../cx.ts'
import textStyles from '../text.module.css'
import panelStyles from './panel.module.css'

interface PanelProps {
  readonly title?: ReactNode
  /** A count beside the title, or a count out of a maximum. */
  readonly count?: ReactNode
  readonly end?: ReactNode
  readonly foot?: ReactNode
  /** Whether to draw a line under the head. */
  readonly ruled?: boolean
  /** True to add padding around the content. Tables and lists don't need it. */
  readonly padded?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A part of a page with a title. */
export function Panel({ title, count, end, foot, ruled = false, padded = false, className, children }: PanelProps) {
  const id = useId()
  return (
    <section className={cx(panelStyles.panel, className)} aria-labelledby={title === undefined ? undefined : id}>
      {title === undefined ? null : (
        <div className={ruled ? cx(panelStyles.panelHead, panelStyles.ruled) : panelStyles.panelHead}>
          <h2 id={id}>{title}</h2>
          {count === undefined ? null : <span className={panelStyles.count}>{count}</span>}
          {end === undefined ? null : <span className={panelStyles.end}>{end}</span>}
        </div>
      )}
      {padded ? <div className={panelStyles.panelBody}>{children}</div> : children}
      {foot === undefined ? null : (
        <div className={panelStyles.panelFoot} data-part="foot">
          {foot}
        </div>
      )}
    </section>
  )
}

export function Page({
  title,
  note,
  end,
  className,
  children,
}: {
  readonly title: ReactNode
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <div className={cx(panelStyles.page, className)}>
      <div className={panelStyles.pageHead} data-part="head">
        <h1>{title}</h1>
        {note === undefined ? null : <span className={textStyles.muted}>{note}</span>}
        {end === undefined ? null : <div className={panelStyles.end}>{end}</div>}
      </div>
      {children}
    </div>
  )
}

/** A list of names and values in two columns. */
export function Rows({
  ruled = false,
  className,
  children,
}: {
  readonly ruled?: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}) {
  return <dl className={cx(panelStyles.rows, ruled ? panelStyles.ruled : '', className)}>{children}</dl>
}

export function Row({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
