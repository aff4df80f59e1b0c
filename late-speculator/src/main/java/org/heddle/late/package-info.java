// SPDX-License-Identifier: Apache-2.0
/**
 * Nothing here yet. To come: LATE (Zaharia et al., OSDI 2008) as a MapReduce speculator. Packages
 * planned: {@code policy} (the pure scan), {@code mr} (the plugin), {@code replay}.
 */
@NullMarked
package org.heddle.late;

import org.jspecify.annotations.NullMarked;
