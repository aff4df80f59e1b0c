// SPDX-License-Identifier: Apache-2.0
package org.heddle.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.function.LongSupplier;
import org.apache.hadoop.yarn.util.SystemClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"JavaUtilDate", "UnusedMethod", "UnusedVariable"}) // the calls are looked at, never made
@Tag("pure")
class DateReadersTest {
    private static final class Calls {
        long date() {
            return System.currentTimeMillis();
        }
    }

    private static final class Refers {
        final LongSupplier dates = System::currentTimeMillis;
    }

    private static final class InLambda {
        final LongSupplier dates = () -> Instant.now().toEpochMilli();
    }

    private static final class OfHadoop {
        long date() {
            return SystemClock.getInstance().getTime();
        }
    }

    private static final class OfTheJdk {
        final Clock clock = Clock.systemUTC();
        final Date date = new Date();
    }

    private static final class Innocent {
        final Date past = new Date(0);
        final long began = System.nanoTime();
    }

    @Test
    void callsAndReferencesAreFound() {
        for (Class<?> reader :
                new Class<?>[] {Calls.class, Refers.class, InLambda.class, OfHadoop.class, OfTheJdk.class}) {
            assertThat(DateReaders.in(new ClassFileImporter().importClasses(reader), "org.heddle.testkit"))
                    .as(reader.getSimpleName())
                    .containsExactly("DateReadersTest");
        }
        assertThat(DateReaders.in(new ClassFileImporter().importClasses(Innocent.class), "org.heddle"))
                .isEmpty();
    }
}
