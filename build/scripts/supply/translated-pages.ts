import { build, type Plugin, type UserConfig } from 'vite'

/**
 * Builds `translated.html`, the entry page for languages other than English, after and separately from the other pages. One build for all pages would
 * create 50 % more script files. The page finds each window’s script and style sheets through meta tags that this plugin adds.
 */
export const translatedPages: Plugin = {
  name: 'translated-pages',
  transformIndexHtml: {
    order: 'post',
    // `bundle` is undefined when `npm run dev` serves the pages instead of a build.
    handler: (_html, { filename, bundle }) =>
      bundle === undefined && filename.endsWith('translated.html')
        ? [...named('index', '/main.tsx'), ...named('phone', '/phone.tsx'), ...named('popout', '/popout.tsx')]
        : [],
  },
  config: ({ root, define }) => {
    Object.assign(settings, { root, define })
  },
  async writeBundle({ dir = '' }, bundle) {
    const files = Object.values(bundle)
    /** The style sheets of a script and of the scripts that it imports, in the order in which the other pages link them. */
    const sheetsOf = (fileName: string, seen = new Set<string>()): readonly string[] => {
      const chunk = bundle[fileName]
      if (chunk?.type !== 'chunk' || seen.has(fileName)) return []
      seen.add(fileName)
      return [...chunk.imports.flatMap((each) => sheetsOf(each, seen)), ...(chunk.viteMetadata?.importedCss ?? [])]
    }
    const isShared = (sheet: string) => /shared-styles.*\.css$/.test(sheet)
    const pages = files.flatMap((file) =>
      file.type === 'chunk' && file.isEntry
        ? named(
            file.name,
            `./${file.fileName}`,
            sheetsOf(file.fileName).filter((sheet) => !isShared(sheet)),
          )
        : [],
    )
    const sheets = files
      .filter(({ fileName }) => isShared(fileName))
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

/** A meta tag that names the script of a page and its style sheets. The style sheet that all pages share is left out. */
const named = (name: string, content: string, sheets: readonly string[] = []) => [
  { tag: 'meta', attrs: { name, content, 'data-sheets': sheets.map((sheet) => `./${sheet}`).join(' ') } },
]
