// SPDX-License-Identifier: Apache-2.0
/**
 * The one client for the web servers of ResourceManagers, markets and bridges: addresses, Kerberos, time limits,
 * standbys, and sentences for what goes wrong. Needs no library.
 */
@NullMarked
package org.heddle.settings.web;

import org.jspecify.annotations.NullMarked;
