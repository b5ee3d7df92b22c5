export {}

declare const __HOOKS__: boolean

/**
 * The entry point for pages in a language other than English, such as `translated.html?language=de&page=phone`. Page modules read their texts while
 * they load, so this file sets the language first and then loads the page. English pages do not use it.
 */
const asked = new URLSearchParams(window.location.search)
const translations = {
  de: async () => ({ ...(await import('../shared/text/de.ts')).de, ...(await import('./text/de.tsx')).de }),
  ja: async () => ({ ...(await import('../shared/text/ja.ts')).ja, ...(await import('./text/ja.tsx')).ja }),
}
const language = asked.get('language')
// Tests use the pseudo language to find text that is missing from the catalogues.
if (__HOOKS__ && language === 'pseudo') globalThis.spoken = { locale: 'en', translate: (await import('./text/pseudo.ts')).pseudo }
else if (language === 'de' || language === 'ja') {
  document.documentElement.lang = language
  const { translateBy } = await import('./text/translations.tsx')
  globalThis.spoken = { locale: language, translate: translateBy(await translations[language]()) }
}
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
