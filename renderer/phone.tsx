import './parts/style-order.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../shared/time.ts'
import { PhonePage } from './features/phone/phone-page.tsx'
import { BridgeProvider } from './ipc/bridge.tsx'
import { createQueryClient, followEvents } from './ipc/query-client.ts'
import { ClockProvider, createWindowClock } from './kit/time/time.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root')
document.documentElement.dataset.profile = 'practice'
const client = createQueryClient()
const clock = createWindowClock(systemClock)
followEvents(window.appBridge, client, {
  onNotice: () => undefined,
  onOpen: () => undefined,
  onReload: () => window.location.reload(),
  onReopen: () => undefined,
})
createRoot(root).render(
  <ClockProvider clock={clock}>
    <BridgeProvider bridge={window.appBridge}>
      <QueryClientProvider client={client}>
        <PhonePage clock={clock} />
      </QueryClientProvider>
    </BridgeProvider>
  </ClockProvider>,
)
