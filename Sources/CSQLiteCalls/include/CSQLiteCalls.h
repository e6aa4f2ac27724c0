#ifndef SETTLE_CSQLITECALLS_H
#define SETTLE_CSQLITECALLS_H

/// Has SQLite make its calls of the system through ones that end: a call that is interrupted without end has failed, and
/// a lock that cannot be asked for is no lock that another holds. Why a call of this thread failed is kept.
///
/// To be called once, before anything else is done with SQLite.
void settle_guard_sqlite_calls(void);

/// The error number of this thread's last call for SQLite that failed, and 0 from then on; 0 where none failed.
int settle_take_sqlite_error(void);

#endif
