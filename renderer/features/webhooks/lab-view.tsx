import { LabPanel } from './lab-panel.tsx'
import { WebhookView } from './webhook-view.tsx'

/** What is delivered, as it comes. */
export function LabView() {
  return (
    <WebhookView view="lab">
      <div className="lab-cols">
        <LabPanel />
      </div>
    </WebhookView>
  )
}
