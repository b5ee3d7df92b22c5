import { ReceiverTestPanel } from '../receiver-test/receiver-test-panel.tsx'
import { WebhookView } from '../webhook-view.tsx'
import { LabPanel } from './lab-panel.tsx'

/** What is delivered, as it comes, and how a receiver of the user's own stands up to it. `webhooks/lab/<event id>` opens one of the former. */
export function LabView() {
  return (
    <WebhookView view="lab">
      <div className="lab-cols">
        <LabPanel />
        <ReceiverTestPanel />
      </div>
    </WebhookView>
  )
}
