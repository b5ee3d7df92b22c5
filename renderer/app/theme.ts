import { useEffect } from 'react'
import type { Settings } from '../../shared/ipc/host/app.ts'

/** The tokens switch on `data-theme`; without it the system decides. */
export function useTheme(theme: Settings['theme'] | undefined): void {
  useEffect(() => {
    const root = document.documentElement
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme
    else delete root.dataset.theme
  }, [theme])
}

/** Practice is violet everywhere. */
export function useProfileColour(kind: 'practice' | 'live' | null): void {
  useEffect(() => {
    const root = document.documentElement
    if (kind === null) delete root.dataset.profile
    else root.dataset.profile = kind
  }, [kind])
}
