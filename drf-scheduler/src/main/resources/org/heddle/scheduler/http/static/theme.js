// SPDX-License-Identifier: Apache-2.0
'use strict';
/* Runs before the page is drawn, so that a chosen theme does not flash. */
try {
  const chosen = localStorage.getItem('heddle.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch (failure) {
  /* Storage is off: the system's theme holds. */
}
