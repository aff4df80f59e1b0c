// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.ExecutorFailureTracker;
import org.heddle.testkit.DateReaders;
import org.junit.jupiter.api.Test;

/** No wait of this backend depends on the date, which can step by hours. */
class FailureClockTest {
    @Test
    void failuresCountForAsLongAsSparkSays() {
        AtomicLong now = new AtomicLong(1_000_000);
        SparkConf conf = new SparkConf(false).set("spark.executor.failuresValidityInterval", "10s");
        ExecutorFailureTracker failures = new ExecutorFailureTracker(conf, new FailureClock(now::get));
        failures.registerExecutorFailure();
        now.addAndGet(9_000);
        failures.registerExecutorFailure();
        assertThat(failures.numFailedExecutors()).isEqualTo(2);
        now.addAndGet(2_000);
        assertThat(failures.numFailedExecutors()).isEqualTo(1);
    }

    @Test
    void noClassReadsTheDate() {
        assertThat(DateReaders.in(
                        new ClassFileImporter()
                                .withImportOption(new ImportOption.DoNotIncludeTests())
                                .importPackages("org.heddle.offers.spark"),
                        "org.heddle.offers.spark"))
                .isEmpty();
    }
}
