import { type ReactNode, useEffect, useState } from 'react'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { LabLight } from '../../ipc/lab-light.tsx'
import { cx } from '../../kit/cx.ts'
import type { IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Page } from '../../kit/layout/panel.tsx'
import type { StateTone } from '../../kit/layout/state.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { webhooksText } from '../../text/en/webhooks.en.tsx'
import labStyles from './lab/lab.module.css'
import webhooksStyles from './subscriptions/webhooks.module.css'

const views = [
  { value: 'subscriptions', label: webhooksText.subscriptions },
  {
    value: 'lab',
    label: (
      <>
        {webhooksText.receiverLab}
        <LabLight />
      </>
    ),
  },
  { value: 'gaps', label: webhooksText.gapCheck },
  { value: 'inspector', label: webhooksText.inspector },
] as const
type ViewName = (typeof views)[number]['value']

interface ViewProps {
  readonly view: ViewName
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly children: ReactNode
}

/** The frame of one view of the webhooks page. `webhooks` is the list of subscriptions, `webhooks/<view>` any other view. */
export function WebhookView({ view, note, end, children }: ViewProps) {
  const navigate = useNavigate()
  return (
    <Page title={webhooksText.webhooks} className={cx(labStyles.webhooksPage, webhooksStyles.webhooksPage)} note={note} end={end}>
      <Tabs
        label={webhooksText.webhooks}
        id="wh"
        tabs={views}
        value={view}
        onChange={(value) => navigate(value === 'subscriptions' ? 'webhooks' : `webhooks/${value}`)}
      />
      <TabPanel id="wh" value={view} className={cx(labStyles.webhooksView, webhooksStyles.webhookView)}>
        {children}
      </TabPanel>
    </Page>
  )
}

export const urlOf = ({ url, id }: Pick<WebhookSummary, 'url' | 'id'>): string => url ?? id

/** The text that the user types to confirm disabling a webhook: its host, because a URL is long. */
export const shortName = (webhook: Pick<WebhookSummary, 'url' | 'id'>): string => (webhook.url === null ? null : URL.parse(webhook.url)?.host) ?? webhook.id

export const statusLooks: Readonly<Record<WebhookSummary['status'], { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  active: { tone: 'ok', icon: 'check', word: webhooksText.active },
  disabled: { tone: 'off', icon: 'x', word: webhooksText.disabled },
  unknown: { tone: 'warn', icon: 'unknown', word: webhooksText.stateUnknown },
}

const restMs = 150

/** Returns the typed text once the user pauses for a moment. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
