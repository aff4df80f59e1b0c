// SPDX-License-Identifier: Apache-2.0
/**
 * The class that an administrator names in yarn-site.xml: {@code DrfScheduler}. It only connects other classes.
 */
@NullMarked
package org.heddle.drf;

import org.jspecify.annotations.NullMarked;
