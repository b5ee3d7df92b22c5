import type { ReactNode } from 'react'
import { LabLight } from '../../ipc/lab-light.tsx'
import { cx } from '../../kit/cx.ts'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Page } from '../../kit/layout/panel.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import labStyles from './lab/lab.module.css'
import webhooksStyles from './subscriptions/webhooks.module.css'

const views = [
  { value: 'subscriptions', label: 'Subscriptions' },
  {
    value: 'lab',
    label: (
      <>
        Receiver lab
        <LabLight />
      </>
    ),
  },
  { value: 'gaps', label: 'Gap check' },
  { value: 'inspector', label: 'Inspector' },
] as const
type ViewName = (typeof views)[number]['value']

interface ViewProps {
  readonly view: ViewName
  readonly note?: ReactNode
  readonly end?: ReactNode
  readonly children: ReactNode
}

/** One view of the page: `webhooks` are the subscriptions, each other has its name behind it. */
export function WebhookView({ view, note, end, children }: ViewProps) {
  const navigate = useNavigate()
  return (
    <Page title="Webhooks" className={cx(labStyles.webhooksPage, webhooksStyles.webhooksPage)} note={note} end={end}>
      <Tabs label="Webhooks" id="wh" tabs={views} value={view} onChange={(value) => navigate(value === 'subscriptions' ? 'webhooks' : `webhooks/${value}`)} />
      <TabPanel id="wh" value={view} className={cx(labStyles.webhooksView, webhooksStyles.webhookView)}>
        {children}
      </TabPanel>
    </Page>
  )
}
