import './parts/style-order.ts'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../shared/time.ts'
import { App } from './app/app.tsx'
import { createWindowClock } from './kit/time/time.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root')
createRoot(root).render(<App bridge={window.appBridge} clock={createWindowClock(systemClock)} page={window} />)
