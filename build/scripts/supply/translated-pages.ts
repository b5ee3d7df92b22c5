import { build, type Plugin, type UserConfig } from 'vite'

/**
 * Builds `translated.html`, the entry page for languages other than English, after the other pages. A joint build would split the chunks of all pages
 * into half as many files again. Finds the script and the sheets of each page by the names that this plugin writes to its head.
 */
export const translatedPages: Plugin = {
  name: 'translated-pages',
  transformIndexHtml: {
    order: 'post',
    // Without a bundle, the server of `npm run dev` is running.
    handler: (_html, { filename, bundle }) =>
      bundle === undefined && filename.endsWith('translated.html') ? named('index', '/main.tsx').concat(named('phone', '/phone.tsx')) : [],
  },
  config: ({ root, define }) => {
    Object.assign(settings, { root, define })
  },
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle)
    const pages = files.flatMap((file) =>
      file.type === 'chunk' && file.isEntry ? named(file.name, `./${file.fileName}`, [...(file.viteMetadata?.importedCss ?? [])]) : [],
    )
    const sheets = files
      .filter(({ fileName }) => /shared-styles.*\.css$/.test(fileName))
      .map(({ fileName }) => ({ tag: 'link', attrs: { rel: 'stylesheet', href: `./${fileName}` } }))
    await build({
      ...settings,
      configFile: false,
      base: './',
      logLevel: 'warn',
      plugins: [{ name: 'named-pages', transformIndexHtml: { order: 'post', handler: () => [...pages, ...sheets] } }],
      build: { outDir: dir, emptyOutDir: false, copyPublicDir: false, rollupOptions: { input: `${settings.root}/translated.html` } },
    })
  },
}

const settings: UserConfig = {}

/** `sheets`: those of this page only, in addition to the shared ones. */
const named = (name: string, content: string, sheets: readonly string[] = []) => [
  { tag: 'meta', attrs: { name, content, 'data-sheets': sheets.map((sheet) => `./${sheet}`).join(' ') } },
]
