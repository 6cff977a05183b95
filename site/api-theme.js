// The API reference has the color scheme that the reader has chosen on the site, unless its own
// settings name one. TypeDoc puts this file into each of its pages.
const chosen = localStorage.getItem('vitepress-theme-appearance')
const own = localStorage.getItem('tsd-theme')
if ((own === null || own === 'os') && (chosen === 'dark' || chosen === 'light')) {
  document.documentElement.dataset.theme = chosen
}
