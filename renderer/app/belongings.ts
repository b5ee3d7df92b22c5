import type { StoreApi } from 'zustand'
import type { HandOver, KeptNotice } from '../../shared/ipc/host/lock.ts'
import { longestKept, mostKeptNotices } from '../../shared/lock-limits.ts'
import type { Toast, Toasts } from '../kit/overlay/toast.tsx'
import type { BatchDraft } from '../parts/batch-draft.tsx'
import type { TicketDrafts } from '../parts/ticket-drafts.tsx'
import { formatPlace, parsePlace } from './place.ts'
import type { Shell } from './shell-store.ts'

interface Parts {
  readonly page: Pick<Window, 'history' | 'location'>
  readonly shell: StoreApi<Shell>
  readonly toasts: StoreApi<Toasts>
  readonly tickets: StoreApi<TicketDrafts>
  readonly batch: StoreApi<BatchDraft>
}

/** What the user has in this window, and finds again after the lock in the page that comes after this one. */
export interface Belongings {
  /** Shows a notice of main's. */
  notify(notice: KeptNotice): void
  /** Takes away what lies over the page; gives the way to bring it back. */
  hide(): () => void
  /** What the next page needs, and nothing of it is left in this one's address. */
  leaves(): Omit<HandOver, 'calls'>
  /** The page stays after all. */
  stays(): void
  putBack(left: HandOver): void
}

type Typed = { readonly tickets: Pick<TicketDrafts, 'byMarket' | 'payloads' | 'last'>; readonly batch: Pick<BatchDraft, 'byWallet' | 'nextId'> }

const noticeOf = ({ tone, title, text, to = null }: Toast): KeptNotice => ({ severity: tone, title, text, to })

export function createBelongings({ page, shell, toasts, tickets, batch }: Parts): Belongings {
  let hidden: readonly Toast[] = []

  const notify = ({ severity, title, text, to }: KeptNotice) =>
    toasts.getState().show({ tone: severity, title, text, to, action: to === null ? null : { label: 'Open', run: () => shell.getState().navigate(to) } })

  const typed = (): string | null => {
    const { byMarket, payloads, last } = tickets.getState()
    const { byWallet, nextId } = batch.getState()
    const text = JSON.stringify({ tickets: { byMarket, payloads, last }, batch: { byWallet, nextId } } satisfies Typed)
    return text.length > longestKept ? null : text
  }

  return {
    notify,
    hide() {
      hidden = toasts.getState().shown
      toasts.setState({ shown: [] })
      shell.getState().show(null)
      return () => {
        for (const toast of hidden) toasts.getState().show(toast)
        hidden = []
      }
    },
    leaves() {
      page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}`)
      return { place: formatPlace(shell.getState().place), drafts: typed(), notices: hidden.map(noticeOf).slice(-mostKeptNotices) }
    },
    stays: () => page.history.replaceState(null, '', formatPlace(shell.getState().place)),
    putBack({ place, drafts, notices }) {
      page.history.replaceState(null, '', place)
      shell.setState({ place: parsePlace(place) })
      if (drafts !== null) {
        // A cast at the boundary: this window's page wrote it, in the same version of the app.
        const before = JSON.parse(drafts) as Typed
        tickets.setState(before.tickets)
        batch.setState(before.batch)
      }
      for (const notice of notices) notify(notice)
    },
  }
}
