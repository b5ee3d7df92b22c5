import type { ReactNode } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Missing } from '../../shared/ipc/missing.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { cx } from '../kit/cx.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { Note } from '../kit/layout/note.tsx'
import notesStyles from '../kit/layout/notes.module.css'
import { Empty } from '../kit/layout/placeholders.tsx'
import textStyles from '../kit/text.module.css'
import { keysText } from '../text/en/keys.en.tsx'
import { kitText } from '../text/en/kit.en.tsx'
import { failureReference, failureText } from '../text/failure-text.ts'
import { type ListOf, missingText } from '../text/page-cut-text.ts'
import { AddressText } from './line-value.tsx'
import { NameOffer, type Naming } from './name-offer.tsx'
import styles from './parts.module.css'

interface FailureProps {
  readonly failure: Failure
  /** Called when the user clicks “Try again”. Set it only if the request can be repeated safely. */
  readonly onRetry?: () => void
  readonly retrying?: boolean
  readonly actions?: ReactNode
  /** Folds the id to quote under “Details”, where an error must stay short. */
  readonly folded?: boolean
  /** If the service refused a field name and asks for another name, offers to use the other name. */
  readonly naming?: Naming
}

function Reference({ failure }: { readonly failure: Failure }) {
  const reference = failureReference(failure)
  return reference === null ? null : (
    <p className={styles.requestId}>
      <span>{reference.label}</span>
      <code>{reference.id}</code>
      <CopyButton text={reference.id} what={failure.kind === 'internal' ? kitText.reference : kitText.requestId} />
    </p>
  )
}

/** A failure next to what it concerns: what happened, what it means, what to do, and the id to quote when asking for help. */
export function FailureNote({ failure, onRetry, retrying = false, actions, naming, folded = false }: FailureProps) {
  const text = failureText(failure)
  return (
    <div className={cx(notesStyles.note, styles.failure, notesStyles[text.tone])} data-part="failure" role="alert">
      <Icon name={text.icon} />
      <div className={textStyles.grow}>
        <b>{text.title}</b>
        <p>
          <AddressText text={`${text.meaning} ${text.remedy}`} picture={false} />
        </p>
        {text.said === null ? null : <p className={styles.said}>{kitText.serviceSaid(<q>{text.said}</q>)}</p>}
        {naming === undefined || failure.kind !== 'refused' || failure.offer === undefined ? null : <NameOffer offer={failure.offer} naming={naming} />}
        {folded && failureReference(failure) !== null ? (
          <details>
            <summary>{kitText.details}</summary>
            <Reference failure={failure} />
          </details>
        ) : (
          <Reference failure={failure} />
        )}
      </div>
      {onRetry === undefined && actions === undefined ? null : (
        <span className={textStyles.actions}>
          {onRetry === undefined ? null : (
            <Button size="xs" icon="refresh" busy={retrying} onClick={onRetry}>
              {kitText.tryAgain}
            </Button>
          )}
          {actions}
        </span>
      )}
    </div>
  )
}

export function FailureLine({ failure }: Pick<FailureProps, 'failure'>) {
  const { title, meaning, remedy } = failureText(failure)
  return (
    <>
      <b>{title}.</b> {meaning} {remedy}
    </>
  )
}

interface FailurePanelProps extends Omit<FailureProps, 'naming' | 'folded'> {
  readonly level?: 2 | 3
}

/** A failure in place of the panel content that could not be loaded. */
export function FailurePanel({ failure, onRetry, retrying = false, actions, level = 2 }: FailurePanelProps) {
  const text = failureText(failure)
  return (
    <div role="alert">
      <Empty
        left
        icon={text.icon}
        {...(text.tone === 'danger' ? { tone: 'danger' as const } : {})}
        title={text.title}
        level={level}
        actions={
          onRetry === undefined && actions === undefined ? undefined : (
            <>
              {onRetry === undefined ? null : (
                <Button size="sm" icon="refresh" busy={retrying} onClick={onRetry}>
                  {kitText.tryAgain}
                </Button>
              )}
              {actions}
            </>
          )
        }
      >
        <p>
          <AddressText text={`${text.meaning} ${text.remedy}`} picture={false} />
        </p>
        {text.said === null ? null : <p className={styles.said}>{kitText.serviceSaid(<q>{text.said}</q>)}</p>}
        <Reference failure={failure} />
      </Empty>
    </div>
  )
}

interface MissingNoteProps {
  /** The unreadable entries of the list, and whether the app did not read further pages; `undefined` until the app has read the list. */
  readonly missing: Missing | undefined
  readonly of: ListOf
}

/** A text above a list that says which entries are missing. Draws nothing if the list is complete. */
export function MissingNote({ missing, of }: MissingNoteProps) {
  const text = missing === undefined ? null : missingText(missing, of)
  return text === null ? null : (
    <p className={cx(styles.missingNote, textStyles.warn)} role="status">
      {text}
    </p>
  )
}

/**
 * If the app cannot read the service's list of keys, says so above the keys that this app knows. Otherwise draws nothing.
 */
export function UnreadNote({ unread }: { readonly unread: Failure | null }) {
  if (unread === null) return null
  return (
    <>
      <Note tone="warn" icon="unknown" title={keysText.serviceListUnread}>
        {keysText.serviceListUnreadDetail}
      </Note>
      <FailureNote failure={unread} />
    </>
  )
}
