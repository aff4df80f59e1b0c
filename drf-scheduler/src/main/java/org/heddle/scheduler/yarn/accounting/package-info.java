// SPDX-License-Identifier: Apache-2.0
/**
 * Accounting inside the ResourceManager: adds up what containers hold, and keeps it in files or in a database. It
 * refers to the attempts of {@code app} and to no other package of the shell.
 *
 * <p>Public for the other packages: {@link org.heddle.scheduler.yarn.accounting.UsageAccounting}, for HeddleScheduler
 * alone. {@link org.heddle.scheduler.yarn.accounting.UsageTables} is public for a test of the market's module, which
 * has databases.
 */
@NullMarked
package org.heddle.scheduler.yarn.accounting;

import org.jspecify.annotations.NullMarked;
