/** The repository. Links to files that are not pages of the site lead there. */
export const repository = 'https://github.com/OWNER/toolglot'

/** The path of the site on its server: `/toolglot/` on GitHub Pages. */
export const base = process.env.SITE_BASE ?? '/'
