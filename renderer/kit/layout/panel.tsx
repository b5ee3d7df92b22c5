import { type ReactNode, useId } from 'react'

interface PanelProps {
  readonly title?: ReactNode
  /** Beside the title: how many, of how many. */
  readonly count?: ReactNode
  /** At the right end of the head. */
  readonly end?: ReactNode
  readonly foot?: ReactNode
  /** A line under the head. */
  readonly ruled?: boolean
  /** Pads the content. Tables and lists go without. */
  readonly padded?: boolean
  readonly className?: string
  readonly children: ReactNode
}

/** A region of a page with its name. */
export function Panel({ title, count, end, foot, ruled = false, padded = false, className, children }: PanelProps) {
  const id = useId()
  return (
    <section className={['panel', className ?? ''].filter(Boolean).join(' ')} aria-labelledby={title === undefined ? undefined : id}>
      {title === undefined ? null : (
        <div className={ruled ? 'panel-head ruled' : 'panel-head'}>
          <h2 id={id}>{title}</h2>
          {count === undefined ? null : <span className="count">{count}</span>}
          {end === undefined ? null : <span className="end">{end}</span>}
        </div>
      )}
      {padded ? <div className="panel-body">{children}</div> : children}
      {foot === undefined ? null : <div className="panel-foot">{foot}</div>}
    </section>
  )
}

/** A page: its head and its panels. */
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
  readonly className?: string
  readonly children: ReactNode
}) {
  return (
    <div className={['page', className ?? ''].filter(Boolean).join(' ')}>
      <div className="page-head">
        <h1>{title}</h1>
        {note === undefined ? null : <span className="muted">{note}</span>}
        {end === undefined ? null : <div className="end">{end}</div>}
      </div>
      {children}
    </div>
  )
}

/** Name and value in two columns. */
export function Rows({ ruled = false, className, children }: { readonly ruled?: boolean; readonly className?: string; readonly children: ReactNode }) {
  return <dl className={['rows', ruled ? 'ruled' : '', className ?? ''].filter(Boolean).join(' ')}>{children}</dl>
}

export function Row({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
