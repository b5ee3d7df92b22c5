import './ui/tokens.css'
import './ui/base.css'
import './ui/kit.css'
import './app/frame.css'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../shared/time.ts'
import { App } from './app/app.tsx'
import { createWindowClock } from './ui/window-clock.ts'

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no root')
createRoot(root).render(<App bridge={window.desk} clock={createWindowClock(systemClock)} page={window} />)
