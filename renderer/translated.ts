export {}

declare const __HOOKS__: boolean

/**
 * The entry to a page in a language other than English: `translated.html?language=de&page=phone`. Sets the language before the page's
 * modules load, because they read their texts while loading. English pages do not use this entry.
 */
const asked = new URLSearchParams(window.location.search)
const translations = {
  de: async () => ({ ...(await import('../shared/text/de.ts')).de, ...(await import('./text/de.tsx')).de }),
  ja: async () => ({ ...(await import('../shared/text/ja.ts')).ja, ...(await import('./text/ja.tsx')).ja }),
}
const language = asked.get('language')
// Tests use the pseudo language to find text that comes from no catalogue.
if (__HOOKS__ && language === 'pseudo') globalThis.spoken = { locale: 'en', translate: (await import('./text/pseudo.ts')).pseudo }
else if (language === 'de' || language === 'ja') {
  document.documentElement.lang = language
  const { translateBy } = await import('./text/translations.tsx')
  globalThis.spoken = { locale: language, translate: translateBy(await translations[language]()) }
}
// The build sets the file name (`electron.vite.config.ts`).
const name = ['phone', 'popout'].find((one) => one === asked.get('page')) ?? 'index'
const page = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
const sheets = (page?.dataset.sheets ?? '').split(' ').filter((sheet) => sheet !== '')
await Promise.all(
  sheets.map(
    (sheet) =>
      new Promise((done) => {
        const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet, onload: done, onerror: done })
        document.head.append(link)
      }),
  ),
)
await import(/* @vite-ignore */ new URL(page?.content ?? '', document.baseURI).href)
